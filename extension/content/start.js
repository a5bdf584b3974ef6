// Begin on a page: ask the background what it may show and keep here, and do that until it says otherwise. The first question takes the
// links on the screen along, and its answer their marks. The layer for marks is there before the first picture of the page is laid out:
// later, it would cost the page a layout of its own.
"use strict";

const KEYS = { KeyS: "site", KeyG: "everywhere" };

class Reader {
  constructor() {
    this.settings = { rests: true };
    this.address = location.href;
    this.cameFrom = document.referrer;
  }

  begin() {
    if (!hasPassword()) {
      this.layer = new MarkLayer();
      this.layer.open();
    }
    requestIdleCallback(() => this.greet(), { timeout: IDLE_MS });
  }

  // Ask what may be shown, and begin anew with that.
  async greet() {
    const links = collectLinks();
    const targets = [...new Set(links.map(([, target]) => target))];
    const settings = await askBackground("greet", { links: targets });
    this.stop();
    const mayShow = settings.error === undefined && (settings.rests || settings.passwords || !hasPassword());
    this.settings = mayShow ? settings : { rests: true };
    this.keep();
    const isShown = !this.settings.rests && this.settings.on;
    if (!isShown || !this.settings.marks.length) this.layer?.remove();
    if (!isShown) return;
    this.card ??= new Card();
    this.layer ??= new MarkLayer();
    this.marks = this.settings.marks.length ? new Marks(this.settings.marks, this.layer) : null;
    this.triggers = new Triggers(this.settings, this.card, (link) => this.marks?.find(link) ?? []);
    this.marks?.start(links, targets, this.settings.found);
    this.triggers.start();
  }

  stop() {
    this.marks?.stop();
    this.triggers?.stop();
    this.marks = this.triggers = null;
  }

  // Keep the visit if the user wants that here; one that was forgotten is not kept again.
  keep() {
    if (!this.settings.keeps) this.endVisit(false);
    else if (!this.visit) {
      this.visit = new Visit(this.cameFrom, this.settings.passwords);
      this.visit.start();
    }
  }

  endVisit(isTold) {
    if (isTold) this.visit?.pause();
    this.visit?.stop();
    this.visit = null;
  }

  // The one key: off or on again, for this site or everywhere. It does nothing where the user wants nothing.
  async press(event) {
    const where = event.isTrusted && event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey && KEYS[event.code];
    if (!where || (this.settings.rests && !this.turnedOff)) return;
    event.preventDefault();
    const on = where === "site" ? Boolean(this.turnedOff) : !this.settings.on;
    this.turnedOff = where === "site" && !on;
    await askBackground("turn", { where, on });
    await this.greet();
    const place = where === "site" ? `on ${location.hostname}` : "everywhere";
    this.card ??= new Card();
    this.card.announce(`Gossamer is ${on ? "on" : "off"} ${place}. Alt+Shift+${event.code.slice(3)} turns it ${on ? "off" : "on"}.`);
  }

  answer(given, send) {
    if (given?.say === "greet") this.greet();
    if (given?.say === "where") send({ url: location.href, title: document.title, rests: this.settings.rests });
    if (given?.say === "copy") send(copyPage());
    if (given?.say === "forget" && this.visit?.isOf(given)) this.visit.stop();
  }

  // Pages that change their address without loading get new marks, and are visits of their own.
  look() {
    if (location.href === this.address) return;
    if (dropFragment(location.href) !== dropFragment(this.address)) {
      this.endVisit(true);
      this.cameFrom = dropFragment(this.address);
    }
    this.address = location.href;
    this.greet();
  }
}

// Not by a selector for attributes, which would look at every element.
function hasPassword() {
  for (const input of document.getElementsByTagName("input")) if (input.type === "password") return true;
  return false;
}

if (document.documentElement instanceof HTMLElement) {
  const reader = new Reader();
  reader.begin();
  extension.runtime.onMessage.addListener((given, _sender, send) => reader.answer(given, send));
  addEventListener("keydown", (event) => reader.press(event), true);
  addEventListener("popstate", () => reader.look());
  globalThis.navigation?.addEventListener("navigatesuccess", () => reader.look());
  // A page that comes back from the cache of the browser may be allowed other things now.
  addEventListener("pageshow", (event) => event.persisted && reader.greet());
}
