// What was read, for how long, and from where: told to the background while the user keeps a history, and never otherwise.
"use strict";

const SETTLE_MS = 1500; // a page that is left before was not read
const MOST_TEXT = 200000;
const MOST_TITLE = 2000;
const MOST_ADDRESS = 4000;

class Visit {
  constructor(cameFrom, passwords) {
    Object.assign(this, { passwords, url: dropFragment(location.href), openedMs: Date.now(), cameFrom, shownMs: 0, sinceMs: 0, isTold: false });
    this.stops = new AbortController();
  }

  start() {
    addEventListener("visibilitychange", () => this.turn(), { capture: true, signal: this.stops.signal });
    addEventListener("pagehide", () => this.pause(), { capture: true, signal: this.stops.signal });
    addEventListener("pageshow", () => this.turn(), { capture: true, signal: this.stops.signal });
    this.turn();
  }

  // Forget this visit: nothing more is told of it.
  stop() {
    clearTimeout(this.timer);
    this.stops.abort();
  }

  turn() {
    if (document.visibilityState !== "visible") return this.pause();
    if (this.sinceMs) return undefined;
    this.sinceMs = Date.now();
    if (!this.isTold) this.timer = setTimeout(() => requestIdleCallback(() => this.begin(), { timeout: SETTLE_MS }), SETTLE_MS);
    return undefined;
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.sinceMs || this.stops.signal.aborted) return;
    this.shownMs += Date.now() - this.sinceMs;
    this.sinceMs = 0;
    if (this.isTold) this.tell("");
  }

  begin() {
    if (this.isTold || this.stops.signal.aborted || dropFragment(location.href) !== this.url) return;
    if (!this.passwords && hasPassword()) return;
    this.isTold = true;
    this.tell(document.body?.innerText.slice(0, MOST_TEXT) ?? "");
  }

  tell(text) {
    if (this.url.length > MOST_ADDRESS) return;
    const shownMs = this.shownMs + (this.sinceMs ? Date.now() - this.sinceMs : 0);
    const visit = { url: this.url, title: this.title(), text, opened_s: this.openedMs / 1000, seconds: shownMs / 1000 };
    askBackground("visit", { visit, cameFrom: this.cameFrom });
  }

  // Once the address has changed, the title may already be that of the next page.
  title() {
    if (dropFragment(location.href) === this.url) this.lastTitle = document.title.slice(0, MOST_TITLE);
    return this.lastTitle ?? "";
  }

  // Whether this visit is one of those that the user has just forgotten.
  isOf({ what, value }) {
    if (what === "url") return dropFragment(String(value)) === this.url;
    if (what === "site") return location.hostname === value || location.hostname.endsWith(`.${value}`);
    return true;
  }
}
