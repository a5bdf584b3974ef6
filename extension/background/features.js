// What the server offers, as it said last; what it does not announce is hidden.

import { browser } from "./browser.js";
import { askStatus } from "./server.js";

const FRESH_MS = 300000;
let askedMs = 0;

// Ask the server what it offers, and show on the button of the extension what keeps it from working.
export async function refreshStatus() {
  askedMs = Date.now();
  try {
    const status = await askStatus();
    await browser.storage.local.set({ features: status.features });
    await showTrouble(null);
    return status;
  } catch (error) {
    await showTrouble(error);
    throw error;
  }
}

// Return what was announced last, and ask anew, without waiting, if that is long ago.
export async function readFeatures() {
  if (Date.now() - askedMs > FRESH_MS) refreshStatus().catch(() => undefined);
  return (await browser.storage.local.get("features")).features ?? [];
}

// A mark on the button of the extension, with the sentence as its title.
export async function showTrouble(error) {
  await browser.action.setBadgeBackgroundColor({ color: "#a3271f" });
  await browser.action.setBadgeText({ text: error ? "!" : "" });
  await browser.action.setTitle({ title: error ? `Gossamer: ${error.message}` : "Gossamer" });
}
