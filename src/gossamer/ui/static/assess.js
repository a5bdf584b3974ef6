// Keys for judging, as on a terminal. They press the buttons, so that everything works without this script.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target instanceof HTMLInputElement) return;
  const key = event.key === "Backspace" ? "z" : event.key.toLowerCase();
  const button = [...document.querySelectorAll("button[data-key]")].find((one) => one.dataset.key === key);
  if (button && !button.disabled) {
    event.preventDefault();
    button.click();
  }
});

// Send one verdict for each page, even if a button is pressed again before the next page has loaded.
document.querySelector(".verdicts").addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
