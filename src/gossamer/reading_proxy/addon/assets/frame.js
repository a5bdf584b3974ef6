// Runs in the frame of cards, whose origin only the proxy answers. The page around it is not trusted: what it sends is checked, and
// nothing is sent back but that the frame is ready.
"use strict";
const MOST_LINKS = 2000, MOST_CHARACTERS = 4000, MOST_KNOWN = 20000, NOTICE_MS = 4000, EDGE_PX = 6;
const SIGNS = { known: "●", dead: "✕", moved: "↪", large: "▣" };
const marks = document.getElementById("marks"), card = document.getElementById("card");
const known = new Map();
let page = "", links = [], isOff = false, waiting = null, hiding = 0;

const isNumber = (value) => typeof value === "number" && Number.isFinite(value) && Math.abs(value) < 1e6;
const isUrl = (value) => typeof value === "string" && value.length <= MOST_CHARACTERS && /^https?:\/\//.test(value);
const isPlace = (one) => one && typeof one === "object" && isUrl(one.url) && isNumber(one.x) && isNumber(one.y) && isNumber(one.bottom);

async function ask(path, body, signal) {
  const answer = await fetch(path, {
    method: body ? "POST" : "GET", body: body && JSON.stringify(body), signal, cache: "no-store", headers: { "X-Gossamer-Frame": "1" },
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error || "No answer.");
  return found;
}

function write(parent, name, text, kind) {
  if (!text) return;
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  parent.append(element);
}

const nameMark = (mark) => SIGNS[mark] || (mark.startsWith("language:") ? mark.slice(9) : mark.startsWith("relevant:") ? "★" : "");

function drawMarks() {
  const drawn = document.createDocumentFragment();
  for (const link of isOff ? [] : links) {
    const signs = (known.get(link.url) || []).map(nameMark).filter(Boolean);
    if (!signs.length) continue;
    const sign = document.createElement("span");
    sign.textContent = signs.join(" ");
    sign.style.left = `${link.x}px`;
    sign.style.top = `${link.y - 4}px`;
    drawn.append(sign);
  }
  marks.replaceChildren(drawn);
}

function takeLinks(message) {
  if (!Array.isArray(message.links) || !isUrl(message.page)) return;
  links = message.links.slice(0, MOST_LINKS).filter(isPlace);
  page = message.page;
  drawMarks();
  askMarks();
}

async function askMarks() {
  const unknown = [...new Set(links.map((link) => link.url))].filter((url) => !known.has(url));
  if (isOff || !unknown.length) return;
  if (known.size > MOST_KNOWN) known.clear();
  for (const url of unknown) known.set(url, []);
  try {
    const found = await ask("/marks", { page, links: unknown });
    unknown.forEach((url, number) => known.set(url, found.marks[number] || []));
    drawMarks();
  } catch { /* pages without marks are as they were; a card says what is wrong */ }
}

function listFacts(found) {
  const state = found.gone ? "gone" : found.failure ? `failed: ${found.failure}` : "";
  const date = found.fetched_s ? `visited ${new Date(found.fetched_s * 1000).toISOString().slice(0, 10)}` : "";
  return [
    found.known ? "" : "not in this collection", state, found.author && `by ${found.author}`, found.language, found.kind,
    found.bytes ? `${(found.bytes / 1000).toFixed(1)} kB` : "", date, `links in ${found.in_links}, out ${found.out_links}`,
    found.rank ? `rank ${found.rank}` : "", ...found.topics.map((one) => `${one.name} ${one.score}`),
  ].filter(Boolean).join(" · ");
}

function show(message, fill) {
  card.replaceChildren();
  fill(card);
  card.hidden = false;
  const { left, top, right, bottom } = message.view;
  const x = Math.max(left + EDGE_PX, Math.min(message.x, right - card.offsetWidth - EDGE_PX));
  const below = message.bottom + EDGE_PX, above = message.y - card.offsetHeight - EDGE_PX;
  card.style.left = `${x}px`;
  card.style.top = `${below + card.offsetHeight > bottom && above >= top ? above : below}px`;
}

function leave() {
  if (waiting) waiting.abort();
  waiting = null;
  card.hidden = true;
}

async function takeCard(message) {
  if (isOff || !isPlace(message) || !message.view || !["left", "top", "right", "bottom"].every((side) => isNumber(message.view[side]))) return;
  leave();
  const own = waiting = new AbortController();
  try {
    const found = await ask(`/card?url=${encodeURIComponent(message.url)}`, undefined, own.signal);
    if (waiting !== own) return;
    show(message, (into) => {
      write(into, "strong", found.title || "(no title)");
      write(into, "p", found.url, "address");
      for (const target of found.redirects) write(into, "p", `→ ${target}`, "address");
      for (const sentence of found.sentences) write(into, "p", sentence);
      write(into, "p", listFacts(found), "facts");
    });
  } catch (error) {
    if (waiting === own) show(message, (into) => write(into, "p", error.message));
  }
}

function toggle(message) {
  if (!isNumber(message.x) || !isNumber(message.y)) return;
  isOff = message.off === true;
  leave();
  drawMarks();
  const view = { left: message.x, top: message.y, right: message.x + innerWidth, bottom: message.y + innerHeight };
  const text = isOff ? "Cards and marks are off on this site. Alt+Shift+G turns them on." : "Cards and marks are on.";
  show({ view, x: message.x + EDGE_PX, y: message.y, bottom: message.y }, (into) => write(into, "p", text));
  clearTimeout(hiding);
  hiding = setTimeout(leave, NOTICE_MS);
  askMarks();
}

addEventListener("message", (event) => {
  const message = event.data;
  if (event.source !== parent || !message || typeof message !== "object") return;
  clearTimeout(hiding);
  if (message.kind === "links") takeLinks(message);
  else if (message.kind === "card") takeCard(message);
  else if (message.kind === "leave") leave();
  else if (message.kind === "toggle") toggle(message);
});
parent.postMessage("ready", "*");
