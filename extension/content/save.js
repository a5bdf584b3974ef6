// The page as the browser shows it, with what scripts have put there: it is copied only when the user presses “Save this page”.
"use strict";

function copyPage() {
  const root = document.documentElement;
  const parts = [...root.children].filter((one) => one === document.head || one === document.body);
  const html = `<!doctype html>\n${writeTag(root)}${parts.map((one) => `${writeTag(one)}${writeInside(one)}</${one.localName}>`).join("\n")}</html>\n`;
  return { url: dropFragment(location.href), title: document.title.slice(0, 2000), html };
}

// Contents of open shadow roots are written as declared ones.
function writeInside(element) {
  const shadowRoots = [...element.querySelectorAll("*")].map((one) => one.shadowRoot).filter(Boolean);
  return element.getHTML({ shadowRoots });
}

function writeTag(element) {
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  const attributes = [...element.attributes].map(({ name, value }) => ` ${name}="${escape(value)}"`);
  return `<${element.localName}${attributes.join("")}>`;
}
