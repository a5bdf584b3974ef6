// Pair this browser: ask for a code, open the page on which a person compares it, and collect the token, once.

import { browser } from "./browser.js";
import { askStranger, keepToken } from "./server.js";
import { readSettings } from "./settings.js";

const GONE = "The pairing has ended without an answer: press “Pair this browser” again.";
let open = null;

export async function beginPairing() {
  const { server } = await readSettings();
  const begun = await askStranger("/api/navigate/pairings", { name: await nameBrowser() });
  const page = new URL(begun.approve, server);
  if (page.origin !== server) throw new Error("The server named a page of another host; nothing was opened.");
  const window = await browser.windows.create({ url: page.href, type: "popup", width: 560, height: 640 });
  open = { code: begun.code, secret: begun.secret, server, window: window?.id, endsMs: Date.now() + 1000 * begun.expires_s };
  return { code: begun.code, page: page.href };
}

// Ask once whether a person has agreed; the page that shows the code asks every second.
export async function collectToken() {
  if (!open || Date.now() > open.endsMs) {
    open = null;
    throw new Error(GONE);
  }
  const { code, secret, server, window } = open;
  const found = await askStranger("/api/navigate/pairings/collect", { code, secret });
  if (!found.token) return { paired: false };
  open = null;
  await keepToken(found.token, server);
  // Only the window that was opened above is closed, and only if it is still there.
  await browser.windows.remove(window).catch(() => undefined);
  return { paired: true, name: found.name };
}

async function nameBrowser() {
  const system = await browser.runtime.getPlatformInfo();
  const names = { linux: "Linux", mac: "macOS", win: "Windows", android: "Android", openbsd: "OpenBSD", cros: "ChromeOS" };
  return `${globalThis.navigator.userAgent.includes("Firefox/") ? "Firefox" : "Chromium"} on ${names[system.os] ?? system.os}`;
}
