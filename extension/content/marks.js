// Small marks beside links. They lie in one closed layer over the page: links are not touched, so nothing moves, and the page
// cannot learn what the collection knows. Only links on the screen are asked about, while the browser has nothing else to do.
"use strict";

// Of a link with many marks, the first two of this order are shown; its card has the rest.
const ORDER = ["dead", "changed", "relevant", "moved", "language", "large", "read", "known", "external"];
const MOST_MARKS = 2;
const MOST_NAME = 80;
const AHEAD = 200; // pixels
const STRIDE = 10;
const IDLE_MS = 2000;
const LOOK_AGAIN_MS = 400;
const SCROLLED_MS = 150;
const SELECTOR = "a[href]";

class Marks {
  constructor(names, layer) {
    this.order = ORDER.filter((name) => names.includes(name));
    this.found = new Map(); // address -> marks, of this page
    this.shown = new Map(); // link -> its marks
    this.unmarked = new WeakSet(); // links that have been asked about, and have none
    this.layer = layer;
    this.stops = new AbortController();
  }

  // Begin with the marks of some links that were asked about already; without them, ask.
  start(links, targets, found) {
    this.layer.open();
    this.keep(targets, found);
    if (found) this.choose(links);
    else requestIdleCallback(() => this.look(), { timeout: IDLE_MS });
    const options = { capture: true, passive: true, signal: this.stops.signal };
    addEventListener("scroll", () => this.lookSoon(SCROLLED_MS), options);
    // A page that is not touched changes its size when it gets more links; only then is every change of it worth a look.
    let isFirst = true;
    this.sizes = new ResizeObserver(() => {
      if (!isFirst) this.watch();
      isFirst = false;
    });
    this.sizes.observe(document.documentElement);
    for (const name of ["pointerover", "keydown"]) addEventListener(name, () => this.watch(), { ...options, once: true });
  }

  // Look again after each change of the page.
  watch() {
    this.lookSoon(LOOK_AGAIN_MS);
    if (this.changes) return;
    // Our own layer and card are children of the root element; links are not.
    this.changes = new MutationObserver((records) => records.some(({ target }) => target !== document.documentElement) && this.lookSoon(LOOK_AGAIN_MS));
    this.changes.observe(document.documentElement, { childList: true, subtree: true });
  }

  // Marks that are drawn follow their links.
  follow() {
    if (this.isFollowing) return;
    this.isFollowing = true;
    const options = { capture: true, passive: true, signal: this.stops.signal };
    for (const name of ["resize", "load", "transitionend", "toggle"]) addEventListener(name, () => this.moveSoon(), options);
    addEventListener("resize", () => this.lookSoon(SCROLLED_MS), options);
  }

  stop() {
    this.stops.abort();
    for (const one of [this.changes, this.sizes]) one?.disconnect();
    this.layer.remove();
    this.isStopped = true;
  }

  // Return the names of the marks of a link, as far as they are known.
  find(link) {
    const target = findTarget(link);
    return target ? this.list(link, target) : [];
  }

  list(link, target) {
    const found = this.found.get(target) ?? [];
    return link.hostname !== location.hostname ? ["external", ...found] : found;
  }

  lookSoon(afterMs) {
    this.moveSoon();
    clearTimeout(this.again);
    this.again = setTimeout(() => requestIdleCallback(() => !this.isStopped && this.look(), { timeout: IDLE_MS }), afterMs);
  }

  async look() {
    const links = collectLinks(this.unmarked);
    const targets = [...new Set(links.map(([, target]) => target).filter((target) => !this.found.has(target)))];
    if (targets.length) this.keep(targets, (await askBackground("marks", { links: targets })).marks);
    if (links.length || this.shown.size) this.choose(links);
  }

  keep(targets, marks) {
    marks?.forEach((names, place) => this.found.set(targets[place], names));
  }

  choose(links) {
    if (this.isStopped) return;
    this.shown.clear();
    const isExternal = this.order.includes("external");
    for (const [link, target] of links) {
      const found = this.found.get(target);
      const names = isExternal ? this.list(link, target) : found;
      const marks = names?.length ? this.order.flatMap((name) => names.filter((mark) => isOf(mark, name))) : [];
      if (marks.length) this.shown.set(link, marks.slice(0, MOST_MARKS));
      else if (found) this.unmarked.add(link);
    }
    this.draw();
  }

  // All places are read before anything is drawn, so that the page is laid out once, when the browser wants to.
  draw() {
    if (!this.shown.size && !this.layer.isDrawn) return;
    this.follow();
    const [marks, lines] = [[], []];
    for (const [link, names] of this.shown) {
      const end = findEnd(link);
      if (!link.isConnected) this.shown.delete(link);
      if (!end) continue;
      names.forEach((mark, at) => {
        const [name, value] = splitMark(mark);
        marks.push({ name, letters: name === "language" ? value.slice(0, 3) : "MB", end, at });
        lines.push(`${describeMark(name, value)}: ${nameLink(link)}`);
      });
    }
    this.layer.draw(marks, lines);
  }

  // Marks follow their links when the page moves.
  moveSoon() {
    if (this.isMoving || !this.shown.size) return;
    this.isMoving = true;
    requestAnimationFrame(() => {
      this.isMoving = false;
      if (!this.isStopped) this.draw();
    });
  }
}

// Return the links on the screen that lead to other pages, each with its target; links to the page itself are left out from then on.
function collectLinks(unmarked = new WeakSet()) {
  const [here, links] = [dropFragment(location.href), []];
  for (const link of listNear(document.querySelectorAll(SELECTOR))) {
    if (unmarked.has(link)) continue;
    const target = findTarget(link, here);
    if (target) links.push([link, target]);
    else unmarked.add(link);
  }
  return links;
}

// The links on the screen, or nearly: an observer of all of them would cost more than to look at each tenth. Between two of these
// that are both above or both below, there is none.
function listNear(links) {
  const lowest = window.innerHeight + AHEAD;
  const sideOf = (link) => {
    const { top, bottom } = link.getBoundingClientRect();
    return bottom < -AHEAD ? -1 : top > lowest ? 1 : 0; // also of links that take no room
  };
  const near = [];
  for (let at = 0, side = links.length ? sideOf(links[0]) : 0; at < links.length; at += STRIDE) {
    const next = Math.min(at + STRIDE, links.length - 1);
    const nextSide = sideOf(links[next]);
    if (!side || side !== nextSide) for (let one = at; one < Math.min(at + STRIDE, links.length); one += 1) near.push(links[one]);
    side = nextSide;
  }
  return near;
}

// The last line of a link; null if the link takes no room.
function findEnd(link) {
  const lines = link.getClientRects();
  const last = lines[lines.length - 1];
  return last && last.width > 0 ? last : null;
}

function isOf(mark, name) {
  return mark === name || mark.startsWith(`${name}:`);
}

function splitMark(mark) {
  const at = mark.indexOf(":");
  return at < 0 ? [mark, ""] : [mark.slice(0, at), mark.slice(at + 1)];
}

function nameLink(link) {
  const name = link.textContent.slice(0, MOST_NAME).trim();
  return (name.includes("\n") ? name.replace(/\s+/g, " ") : name) || "a link";
}

function describeMark(name, value) {
  if (name === "language") return `In ${nameLanguage(value)}`;
  if (name === "relevant") return `About ${cut(value, 60)}`;
  return MARK_WORDS[name] ?? name;
}
