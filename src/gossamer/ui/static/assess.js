// Keys judge as on a terminal. They press the buttons, so that without this script everything still works.
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

// One verdict a page, however often a button is pressed: it may take a moment until the next one is there.
document.querySelector(".verdicts").addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
