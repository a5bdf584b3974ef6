// The history in the panel: search what was read, and forget it.

import { ask } from "./ask.js";
import { find, formatCount, formatDay, make, makeLink, makeList, shorten, tell } from "./elements.js";

const COUNT = 10;
let page = { url: "", site: "" };
let shown = 0;

// Show the history if the server keeps one; the words that are looked for stay while other pages are shown.
export async function showHistory(now) {
  page = now;
  const [{ features = [] }, { settings }] = await Promise.all([ask("status"), ask("settings")]);
  find("history").hidden = !features.includes("history");
  find("history-off").hidden = settings.history && !settings.historyPaused;
  find("history-off").textContent = settings.history ? "Nothing is kept now: the history is paused." : "Nothing is kept now: the options turn the history on.";
  for (const one of find("what").options) one.disabled = ["url", "site"].includes(one.value) && (!page.url || page.own);
}

async function search(offset) {
  const found = await ask("read", { what: "history", asked: { q: find("words").value.trim(), offset, count: COUNT } });
  if (found.kind === "cancelled") return;
  if (found.error) return tell(find("read-count"), found.error);
  const fresh = makeList(found.items.map(describe), "found");
  if (offset) find("read-items").querySelector("ul").append(...fresh.children);
  else find("read-items").replaceChildren(...(found.items.length ? [fresh] : []));
  shown = offset + found.items.length;
  find("read-more").hidden = shown >= found.found || !found.items.length;
  tell(find("read-count"), found.found ? formatCount(found.found, "page") : "No page that you have read has these words.");
  return undefined;
}

function describe(item) {
  const facts = [item.site, formatDay(item.opened_s), formatTime(item.seconds), item.visits > 1 ? `${item.visits} visits` : ""];
  const from = item.from ? make("p", "from ", { class: "site" }) : null;
  from?.append(makeLink(shorten(item.from), item.from));
  const words = item.snippet ? make("p", item.snippet, { class: "words", dir: "auto" }) : null;
  return [makeLink(item.title || shorten(item.url), item.url), make("p", facts.filter(Boolean).join(" · "), { class: "site" }), words, from];
}

function formatTime(seconds) {
  if (seconds < 1) return "";
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

async function forget(what, value) {
  find("question").hidden = true;
  tell(find("forgotten"), "Forgetting …");
  const { forgotten, error } = await ask("forgetHistory", { what, value });
  tell(find("forgotten"), error ?? `Forgotten: ${formatCount(forgotten, "visit")}.`);
  if (!error && shown) await search(0);
}

// Before everything is forgotten, a question; its answer is reached at once by the keyboard.
function askFirst() {
  find("question").hidden = false;
  tell(find("forgotten"), "");
  find("keep-all").focus();
}

function begin() {
  const what = find("what").value;
  if (what === "all") return askFirst();
  const value = { url: page.url, site: page.site, day: find("day").value }[what];
  if (!value) return tell(find("forgotten"), what === "day" ? "Choose the day first." : "Open the page first.");
  return forget(what, value);
}

function listen(id, name, act) {
  find(id).addEventListener(name, (event) => {
    event.preventDefault();
    act();
  });
}

listen("search", "submit", () => search(0));
listen("read-more", "click", () => search(shown));
listen("forget", "submit", begin);
listen("forget-all", "click", () => forget("all", true));
listen("keep-all", "click", () => {
  find("question").hidden = true;
  find("what").focus();
});
find("what").addEventListener("change", ({ target }) => (find("day").hidden = target.value !== "day"));
