// Keeps the pages of tasks up to date by events. Until events come, and where they do not, the part that changes asks by itself.
"use strict";

{
const followed = document.getElementById("followed");
let events = null;
let isFed = false;

function put(event) {
  const message = JSON.parse(event.data);
  isFed = !message.trouble;
  if (!message.html) return;
  const fresh = parse(message.html);
  // Events are the same for all viewers.
  for (const field of fresh.querySelectorAll("[name=form_key]")) field.setAttribute("value", followed.dataset.formKey);
  morph(followed.firstElementChild, fresh.firstElementChild);
}

function rest() {
  if (events) events.close();
  events = null;
  isFed = false;
}

function follow() {
  rest();
  if (document.hidden || !window.EventSource) return;
  events = new EventSource(followed.dataset.events);
  events.onmessage = put;
  events.onerror = () => {
    isFed = false;
  };
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isFed && event.detail.elt.parentElement === followed) event.preventDefault();
});
document.addEventListener("visibilitychange", follow);
window.addEventListener("pagehide", rest);
window.addEventListener("pageshow", (event) => event.persisted && follow());
follow();
}
