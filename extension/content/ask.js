// The way from a page to the background. Content scripts share one scope, so each file of this folder may use the others.
"use strict";

const extension = globalThis.browser ?? globalThis.chrome;

// Ask the background; a failure is an answer with `error` and `kind`. After an update of the extension, no answer comes.
async function askBackground(ask, given = {}) {
  try {
    return (await extension.runtime.sendMessage({ ask, ...given })) ?? { error: "", kind: "silent" };
  } catch {
    return { error: "", kind: "silent" };
  }
}

// An element of ours inside the page: no style and no script of the page gets into it, and no script of the page can read it.
// What the style says of it is important, so that no style of the page is above it.
function makeClosedRoot(css) {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "closed" });
  addStyle(root, css);
  return { host, root };
}

function addStyle(root, css) {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox lets content scripts have no sheets of their own.
    const style = document.createElement("style");
    style.textContent = css;
    root.append(style);
  }
}

// All texts that come from the web go through here: they become text, whatever they contain.
function makeText(tag, text, className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}
