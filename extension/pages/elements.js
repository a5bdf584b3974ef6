// Small elements of pages. Whatever comes from the web becomes text, and only addresses of the web become links.

export const find = (id) => document.getElementById(id);

export function make(tag, text = "", attributes = {}) {
  const element = document.createElement(tag);
  element.textContent = clean(text);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

export function makeLink(text, address) {
  const link = make("a", text || address, { dir: "auto" });
  if (/^https?:\/\//i.test(address)) link.href = address;
  link.rel = "noreferrer noopener";
  return link;
}

// A list; the page says how many things it has.
export function makeList(items, className) {
  const list = make("ul", "", { class: className });
  list.append(...items.map((parts) => {
    const item = make("li");
    item.append(...parts.filter(Boolean));
    return item;
  }));
  return list;
}

// Characters that turn text around or end lines have no place in a title.
export function clean(text) {
  return String(text ?? "").replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");
}

export function shorten(address) {
  return clean(address).replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
}

// A collection without a title is called by its folder.
export function nameCollection({ web, pages }) {
  return `${clean(web).replace(/\/+$/, "").split("/").at(-1)}, ${formatCount(pages, "page")}`;
}

export function formatDay(whenS) {
  return whenS ? new Intl.DateTimeFormat("en-GB", { year: "numeric", month: "short", day: "numeric" }).format(1000 * whenS) : "";
}

export function formatCount(number, one, many = `${one}s`) {
  return `${new Intl.NumberFormat("en").format(number)} ${number === 1 ? one : many}`;
}

// Show a sentence in an element that readers of screens announce; "" hides it.
export function tell(element, sentence, tone = "") {
  element.textContent = clean(sentence);
  element.hidden = !sentence;
  element.classList.toggle("wrong", tone === "wrong");
}
