// Change a part of a page into another, for pages that are kept up to date.
"use strict";

// Make one tree like another, and leave what is the same: focus, selection and open details stay.
// Elements with an id are found by it, so that one that comes or goes does not disturb its neighbours.
function morph(old, fresh) {
  const wanted = new Set([...fresh.children].map((node) => node.id).filter(Boolean));
  let now = old.firstChild;
  for (const node of fresh.childNodes) {
    while (now && now.id && now.id !== node.id && !wanted.has(now.id)) now = remove(now);
    const same = node.id && [...old.children].find((one) => one.id === node.id);
    if (same) while (now && now !== same && !wanted.has(now.id)) now = remove(now);
    // White space between elements may differ.
    while (now && now.nodeType === Node.TEXT_NODE && node.nodeType === Node.ELEMENT_NODE) now = remove(now);
    if (now && isAlike(now, node) && (!same || now === same)) {
      update(now, node);
      now = now.nextSibling;
    } else if (now && (now === same || (!now.id && !node.id && now.nodeType === node.nodeType))) {
      const fit = document.importNode(node, true);
      now.replaceWith(fit);
      now = fit.nextSibling;
    } else {
      if (same) same.remove(); // it stands elsewhere now
      old.insertBefore(document.importNode(node, true), now);
    }
  }
  while (now) now = remove(now);
}

function remove(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.id === other.id;

function update(old, fresh) {
  if (fresh.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  morph(old, fresh);
}

// As a template, since a document would lose the white space before its first element.
function parse(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return made.content;
}
