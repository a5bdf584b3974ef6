// When a card comes and goes: after a hover, at a key, on focus; Escape, another link or leaving it ends it.
"use strict";

const FOCUS_MS = 250;
const LEAVE_MS = 250;
const CLICKS = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "contextmenu"];

class Triggers {
  constructor(settings, card, findMarks) {
    Object.assign(this, { settings, card, findMarks });
    this.over = null;
    this.timer = 0;
    this.leaving = 0;
    this.asks = 0;
    this.stops = new AbortController();
  }

  start() {
    this.listen("pointerover", this.enter);
    this.listen("focusin", this.focus);
    this.listen("keydown", this.press);
    // Reached before this began.
    this.focusLink(document.activeElement?.closest("a[href], area[href]"));
    this.reach(document.querySelector("a[href]:hover, area[href]:hover"));
  }

  stop() {
    this.end();
    this.stops.abort();
  }

  listen(name, act) {
    addEventListener(name, (event) => event.isTrusted && act.call(this, event), { capture: true, signal: this.stops.signal });
  }

  // What ends a card matters only once a link was reached; until then, the page does without these listeners.
  watch() {
    if (this.isWatching) return;
    this.isWatching = true;
    this.listen("pointermove", this.move);
    this.listen("focusout", this.blur);
    for (const name of CLICKS) this.listen(name, this.click);
    this.listen("scroll", this.scroll);
    this.listen("pagehide", this.end);
  }

  enter(event) {
    if (event.pointerType === "touch") return;
    // What lies under the card is not what the pointer is on.
    this.reach(this.card.contains(event.clientX, event.clientY) ? this.card.link : findLink(event));
  }

  reach(link) {
    if (link === this.over) return;
    this.watch();
    this.over = link;
    clearTimeout(this.timer);
    if (link && link !== this.card.link && this.settings.onHover) this.timer = setTimeout(() => this.show(link), this.settings.hoverMs);
  }

  move(event) {
    const { link } = this.card;
    if (!link) return;
    const isFocused = link === document.activeElement && link.matches(":focus-visible");
    if (isFocused || findLink(event) === link || this.card.contains(event.clientX, event.clientY)) {
      clearTimeout(this.leaving);
      this.leaving = 0;
    } else if (!this.leaving) this.leaveSoon();
  }

  focus(event) {
    this.focusLink(findLink(event));
  }

  focusLink(link) {
    if (!link || !this.settings.onFocus || !link.matches(":focus-visible")) return;
    this.watch();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(link), FOCUS_MS);
  }

  blur() {
    clearTimeout(this.timer);
    if (this.card.link) this.leaveSoon();
  }

  // A pointer on its way to the card, or a focus that comes back, keeps it.
  leaveSoon() {
    const left = this.card.link;
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => {
      this.leaving = 0;
      if (this.card.link === left) this.hide();
    }, LEAVE_MS);
  }

  // A click on the card must not reach the link under it.
  click(event) {
    if (this.card.isOpen && this.card.contains(event.clientX, event.clientY)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === "pointerdown") this.end();
  }

  scroll(event) {
    if (this.card.link && event.target?.contains?.(this.card.link)) this.end();
  }

  press(event) {
    if (event.key === "Escape" && (this.card.isOpen || this.asks)) {
      if (this.card.isOpen) event.stopImmediatePropagation();
      this.end();
    } else if (event.key === this.settings.key && !event.repeat && this.settings.key !== "none") {
      const focused = document.activeElement?.closest?.("a[href], area[href]");
      const link = this.over?.isConnected ? this.over : focused;
      if (link) this.show(link, true);
    }
  }

  end() {
    clearTimeout(this.timer);
    clearTimeout(this.leaving);
    this.leaving = 0;
    this.hide();
  }

  // What is still asked for is of no use any more, so the server need not finish it.
  hide() {
    if (this.asks) askBackground("cancel");
    this.asks = 0;
    this.card.close();
  }

  // Show the card of a link: from the collection at once, and then what is asked for.
  async show(link, wanted = false) {
    if (!link.isConnected || (this.card.link === link && this.card.isOpen)) return;
    this.end();
    const serial = this.card.serial;
    const isStale = () => serial !== this.card.serial || !link.isConnected;
    const target = findTarget(link);
    if (!target) {
      const does = describeAction(link);
      if (does && (wanted || !/^https?:/i.test(link.href))) this.card.show([makeText("p", does)], link);
      return;
    }
    this.card.link = link;
    const found = await this.ask("card", target);
    if (isStale()) return;
    if (!found.card) {
      this.card.link = null;
      if (wanted && found.error) this.card.show([makeText("p", found.error)], link);
      return;
    }
    const asksMore = !found.card.known && this.settings.previews;
    this.fill(found.card, link, asksMore ? "Not in your collection. Asking for its beginning …" : "");
    if (asksMore) await this.showPreview(link, target, found.card, isStale);
    else if (found.card.has_picture && this.settings.pictures) await this.showPicture(target, isStale);
  }

  async showPreview(link, target, known, isStale) {
    const found = await this.ask("preview", target);
    if (!isStale()) this.fill(found.card ?? known, link, found.note || found.error || "Not in your collection; read just now.");
  }

  async showPicture(target, isStale) {
    const { picture } = await this.ask("picture", target);
    if (!picture || isStale()) return;
    const canvas = await makePicture(picture).catch(() => null);
    if (canvas && !isStale()) {
      this.card.box.append(canvas);
      this.card.place(this.card.link);
    }
  }

  async ask(what, url) {
    this.asks += 1;
    const found = await askBackground(what, { url });
    this.asks = Math.max(0, this.asks - 1);
    return found;
  }

  fill(card, link, note) {
    this.card.show(composeCard(card, link, this.findMarks(link), note), link);
  }
}

// The link that an event is about, also inside open shadow roots.
function findLink(event) {
  const first = event.composedPath()[0];
  return first instanceof Element ? first.closest("a[href], area[href]") : null;
}
