// Runs in pages. It knows no secret and sees no answer: it tells a frame of another origin where links are, and the frame draws.
(() => {
  "use strict";
  if (window.top !== window || window.gossamerFrame) return;
  const ORIGIN = `${location.protocol}//CARDS_HOST`;
  const MOST_LINKS = 2000, MOST_HEIGHT_PX = 60000, HOVER_MS = 500, REST_MS = 150, OFF = "gossamer-off";
  const STYLE = {
    position: "absolute", left: "0", top: "0", margin: "0", padding: "0", border: "0", display: "block", opacity: "1",
    "max-width": "none", "max-height": "none", "min-width": "0", "min-height": "0", transform: "none", "pointer-events": "none",
    "z-index": "2147483647", background: "transparent", "color-scheme": "light", visibility: "visible", width: "0", height: "0",
  };
  const frame = document.createElement("iframe");
  Object.defineProperty(window, "gossamerFrame", { value: true });
  let isReady = false, resting = 0, hovering = 0, shown = null, isOff = readOff();

  // Kept by the site itself: a frame of another origin may keep nothing where third parties are blocked.
  function readOff() {
    try { return localStorage.getItem(OFF) === "yes"; } catch { return false; }
  }

  function writeOff() {
    try {
      if (isOff) localStorage.setItem(OFF, "yes");
      else localStorage.removeItem(OFF);
    } catch { /* it then holds for this page */ }
  }

  const setStyle = (name, value) => frame.style.setProperty(name, value, "important");
  const send = (message) => isReady && frame.contentWindow && frame.contentWindow.postMessage(message, ORIGIN);
  const isLink = (link) => link.protocol === "http:" || link.protocol === "https:";

  function place(link) {
    const boxes = link.getClientRects();
    if (!boxes.length) return null;
    const last = boxes[boxes.length - 1];
    return { url: link.href, x: last.right + scrollX, y: last.top + scrollY, bottom: last.bottom + scrollY };
  }

  function sendLinks() {
    const root = document.documentElement;
    setStyle("width", "0"); setStyle("height", "0"); // the page's own size, without the frame
    const width = root.scrollWidth, height = Math.min(root.scrollHeight, MOST_HEIGHT_PX), found = [];
    for (const link of document.links) {
      if (found.length === MOST_LINKS) break;
      const where = isLink(link) && place(link);
      if (where && where.bottom <= height) found.push(where);
    }
    setStyle("width", `${width}px`); setStyle("height", `${height}px`);
    send({ kind: "links", page: location.href, links: found });
  }

  function sendLinksSoon() {
    clearTimeout(resting);
    resting = setTimeout(sendLinks, REST_MS);
  }

  function follow(event) {
    const link = event.target instanceof Element && event.target.closest("a[href]");
    if (link === shown) return;
    clearTimeout(hovering);
    if (shown) send({ kind: "leave" });
    shown = link || null;
    askCardSoon();
  }

  function askCardSoon() {
    const link = shown;
    if (!link || !isLink(link)) return;
    hovering = setTimeout(() => {
      const where = place(link);
      const view = { left: scrollX, top: scrollY, right: scrollX + innerWidth, bottom: scrollY + innerHeight };
      if (where) send({ kind: "card", view, ...where });
    }, HOVER_MS);
  }

  function press(event) {
    if (!event.isTrusted) return;
    if (event.key === "Escape") send({ kind: "leave" });
    if (!event.altKey || !event.shiftKey || event.code !== "KeyG") return;
    isOff = !isOff;
    writeOff();
    send({ kind: "toggle", off: isOff, x: scrollX, y: scrollY });
    if (!isOff && !frame.isConnected) begin();
  }

  function begin() {
    for (const [name, value] of Object.entries(STYLE)) setStyle(name, value);
    frame.title = "Gossamer: what stands behind links";
    frame.tabIndex = -1;
    frame.referrerPolicy = "no-referrer";
    frame.src = `${ORIGIN}/frame`;
    addEventListener("message", (event) => {
      if (event.source !== frame.contentWindow || event.origin !== ORIGIN || event.data !== "ready" || isReady) return;
      isReady = true;
      sendLinks();
      clearTimeout(hovering);
      askCardSoon(); // a person may rest on a link before the frame is there
      new MutationObserver(sendLinksSoon).observe(document.body, { childList: true, subtree: true });
      addEventListener("resize", sendLinksSoon, { passive: true });
      document.addEventListener("scroll", sendLinksSoon, { passive: true, capture: true });
    });
    document.addEventListener("pointerover", follow, { passive: true });
    document.addEventListener("focusin", follow, { passive: true });
    document.documentElement.append(frame);
  }

  document.addEventListener("keydown", press, { passive: true });
  if (isOff) return;
  if (document.readyState === "complete") begin();
  else addEventListener("load", () => isOff || frame.isConnected || begin(), { once: true });
})();
