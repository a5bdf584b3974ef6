// Keys, suggestions, counting of opened answers, and rest for hidden tabs. Every page works without this script.
"use strict";

const box = document.getElementById("q");
const list = document.getElementById("suggestions");
let typed = "";

const options = () => (list && !list.hidden ? [...list.querySelectorAll("[role=option]")] : []);
const titles = () => [...document.querySelectorAll(".answers .title")];
const chosen = () => options().find((option) => option.getAttribute("aria-selected") === "true");

function show(isOpen) {
  list.hidden = !isOpen;
  box.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) choose(null);
}

function choose(option) {
  for (const other of list.querySelectorAll("[aria-selected]")) other.removeAttribute("aria-selected");
  if (!option) return box.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  box.setAttribute("aria-activedescendant", option.id);
  box.value = option.textContent;
}

// Go to another option; before the first and after the last is what was typed.
function step(by) {
  const all = [null, ...options()];
  const next = all[(all.indexOf(chosen() || null) + by + all.length) % all.length];
  choose(next);
  if (!next) box.value = typed;
}

function keyInBox(event) {
  const isOpen = options().length > 0;
  if (event.key === "ArrowDown" && isOpen) step(1);
  else if (event.key === "ArrowUp" && isOpen) step(-1);
  else if (event.key === "ArrowDown" && titles().length) titles()[0].focus();
  else if (event.key === "Escape" && isOpen) {
    box.value = typed;
    show(false);
  } else if (event.key === "Enter" && chosen()) chosen().click();
  else return;
  event.preventDefault();
}

function keyElsewhere(event) {
  const all = titles();
  const at = all.indexOf(document.activeElement);
  if (event.key === "/" && box) {
    box.focus();
    box.select();
  } else if (event.key === "Escape" && at >= 0) box.focus();
  else if (event.key === "ArrowDown" && at >= 0 && at < all.length - 1) all[at + 1].focus();
  else if (event.key === "ArrowUp" && at > 0) all[at - 1].focus();
  else if (event.key === "ArrowUp" && at === 0) box.focus();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === box) keyInBox(event);
  else if (!event.target.closest("input, textarea, select, [contenteditable]")) keyElsewhere(event);
});

if (box && list) {
  box.addEventListener("input", () => {
    typed = box.value;
    // Suggestions for a shorter text may not fit any more; new ones are on their way.
    const wanted = typed.trim().toLowerCase();
    for (const option of list.querySelectorAll("[role=option]"))
      if (!wanted || !option.textContent.toLowerCase().includes(wanted)) option.remove();
    if (!list.querySelector("[role=option]")) show(false);
  });
  list.addEventListener("htmx:afterSwap", () => {
    typed = box.value;
    show(document.activeElement === box && list.querySelector("[role=option]") !== null);
  });
  // Keep the focus in the box on mousedown: the list would close before the click.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  box.addEventListener("blur", () => show(false));
}

// A link's ping reports that it is opened. Not every browser sends pings: with scripts, this function reports it instead, once.
function count(event) {
  const link = event.target.closest("a[ping], a[data-counted]");
  if (!link || event.button > 1) return;
  link.removeAttribute("ping");
  link.dataset.counted = "here";
  navigator.sendBeacon("/opened", new URLSearchParams({ url: link.href }));
}
document.addEventListener("click", count);
document.addEventListener("auxclick", count);

// A page in a hidden tab does not ask for news.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.detail.elt.getAttribute("hx-trigger")?.startsWith("every")) event.preventDefault();
});
