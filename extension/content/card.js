// The card of a link: a note near the link, in the top layer of the page, which takes no clicks and moves nothing.
"use strict";

const GAP = 8;
const EDGE = 8;
const NOTICE_MS = 4000;

class Card {
  constructor() {
    this.link = null;
    this.box = null;
    this.serial = 0;
  }

  get isOpen() {
    return Boolean(this.box?.isConnected && this.box.hasChildNodes());
  }

  // Show some elements near a link, or in a corner if there is none.
  show(elements, link) {
    this.link = link;
    const box = this.open();
    box.replaceChildren(...elements);
    this.place(link);
  }

  // Show one sentence for a few seconds.
  announce(sentence) {
    const serial = ++this.serial;
    this.show([makeText("p", sentence)], null);
    setTimeout(() => serial === this.serial && this.close(), NOTICE_MS);
  }

  close() {
    this.serial += 1;
    this.link = null;
    if (!this.host) return;
    this.box.replaceChildren();
    this.host.remove();
  }

  // Whether a point of the window lies in the card; the page cannot ask that, since its events go through the card.
  contains(x, y) {
    if (!this.isOpen) return false;
    const area = this.box.getBoundingClientRect();
    return x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;
  }

  open() {
    if (!this.host) {
      const { host, root } = makeClosedRoot(CARD_CSS);
      this.host = host;
      this.box = makeText("div", "", "card");
      this.box.setAttribute("role", "status");
      this.box.setAttribute("aria-label", "Card of a link");
      root.append(this.box);
    }
    if (!this.host.isConnected) document.documentElement.append(this.host);
    // In the top layer it is above dialogs, too.
    this.host.popover = "manual";
    if (!this.host.matches(":popover-open")) this.host.showPopover();
    return this.box;
  }

  // Below the link if there is room, else above it, else beside it.
  place(link) {
    const style = this.box.style;
    const area = link?.isConnected ? findLine(link) : { left: EDGE, right: EDGE, top: EDGE - GAP, bottom: EDGE - GAP };
    const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
    style.maxHeight = `${height - 2 * EDGE}px`;
    const [ownWidth, ownHeight] = [this.box.offsetWidth, this.box.offsetHeight];
    const [lowest, rightmost] = [height - EDGE - ownHeight, width - EDGE - ownWidth];
    const below = area.bottom + GAP;
    const above = area.top - GAP - ownHeight;
    const isBeside = below > lowest && above < EDGE && area.right + GAP <= rightmost;
    const top = below <= lowest ? below : above >= EDGE ? above : Math.min(isBeside ? area.top : below, lowest);
    style.top = `${Math.max(EDGE, top)}px`;
    style.left = `${isBeside ? area.right + GAP : Math.max(EDGE, Math.min(area.left, rightmost))}px`;
  }
}

// The line of a link that spans several: the last one that is on the screen.
function findLine(link) {
  const lines = [...link.getClientRects()].filter((one) => one.bottom > 0 && one.top < window.innerHeight);
  return lines.at(-1) ?? link.getBoundingClientRect();
}

// Return the elements of a card that the collection has made.
function composeCard(card, link, marks, note = "") {
  const parts = [];
  const states = listStates(card, marks);
  if (states.length) {
    const row = makeText("p", "", "states");
    row.append(...states.map(([words, tone]) => makeText("span", words, tone)));
    parts.push(row);
  }
  parts.push(makeTitle(card, link));
  parts.push(makeText("p", cut(decode(shorten(card.url || link.href)), 160), "where"));
  if (card.sentences?.length) parts.push(withDirection(makeText("p", card.sentences.map((one) => cut(one)).join(" "), "text")));
  if (!card.known) parts.push(makeText("p", note || (card.visits ? "Visited, but not kept in your collection." : "Not in your collection."), "note"));
  else if (note) parts.push(makeText("p", cut(note), "note"));
  const facts = listFacts(card);
  if (facts.length) parts.push(makeFacts(facts));
  for (const { plugin, text } of card.lines ?? []) parts.push(withDirection(makeText("p", `${cut(plugin, 40)}: ${cut(text)}`, "note")));
  const does = describeAction(link);
  if (does) parts.push(makeText("p", does, "does"));
  return parts;
}

function makeTitle(card, link) {
  const title = cut(card.title) || cut(link.textContent) || "Without title";
  const element = withDirection(makeText("p", title, "title"));
  if (card.language && /^[\w-]{2,20}$/.test(card.language)) element.lang = card.language;
  return element;
}

function makeFacts(facts) {
  const list = makeText("dl", "", "facts");
  for (const [label, value] of facts) list.append(makeText("dt", label), withDirection(makeText("dd", value)));
  return list;
}

function withDirection(element) {
  element.dir = "auto";
  return element;
}

// Draw a picture that came as base64: on a canvas, which no policy of the page forbids.
async function makePicture(base64) {
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = makeText("canvas", "", "picture");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Picture of the page");
  return canvas;
}
