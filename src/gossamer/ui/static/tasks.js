// Keeps the pages of tasks up to date by events. Until events come, and where they do not, the part that changes asks by itself.
"use strict";

{
const followed = document.getElementById("followed");
const noNews = document.getElementById("no-news");
const SILENT_MS = 5000;
let events = null;
let isFed = false;
let silent = 0;

function put(event) {
  const message = JSON.parse(event.data);
  isFed = !message.trouble;
  complain(message.trouble ? `${message.trouble}.` : "");
  if (!message.html) return;
  const fresh = parse(message.html);
  // Events are the same for all viewers.
  for (const field of fresh.querySelectorAll("[name=form_key]")) field.setAttribute("value", followed.dataset.formKey);
  for (const part of fresh.children) morph(document.getElementById(part.id), part);
}

function complain(sentence) {
  clearTimeout(silent);
  silent = 0;
  noNews.textContent = sentence;
  noNews.hidden = !sentence;
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
    silent = silent || setTimeout(complain, SILENT_MS, "The server does not answer; trying again.");
  };
}

// A part that its own answer has replaced is gone: its parent speaks for it.
const isPart = ({ detail: { elt } }) => elt === followed || Boolean(elt.id && document.getElementById(elt.id)?.parentElement === followed);
document.addEventListener("htmx:beforeRequest", (event) => {
  if (isFed && isPart(event)) event.preventDefault();
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful && isPart(event)) complain("");
});
document.addEventListener("visibilitychange", follow);
window.addEventListener("pagehide", rest);
window.addEventListener("pageshow", (event) => event.persisted && follow());
follow();
}
