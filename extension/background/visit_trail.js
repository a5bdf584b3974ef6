// From where a reader came: the page that a tab, or the tab that opened it, showed before. Kept in memory, until the browser ends.

import { browser } from "./browser.js";

const key = (tab) => `shown ${tab}`;

// Return the address of the page whose link led to another; pages hide all but their site from where a link leads.
export async function findOrigin(tab, url, cameFrom) {
  if (!cameFrom) return "";
  const tabs = [tab.id, tab.openerTabId].filter((one) => one !== undefined);
  const known = await browser.storage.session.get(tabs.flatMap((one) => [key(one)]));
  const origin = readOrigin(cameFrom);
  const before = tabs.flatMap((one) => known[key(one)] ?? []).filter((one) => one !== url);
  return before.includes(cameFrom) ? cameFrom : before.findLast((one) => readOrigin(one) === origin) ?? cameFrom;
}

// A tab shows a page that is kept; of each tab, the last two are known.
export async function noteVisit(tab, url) {
  const shown = (await browser.storage.session.get(key(tab)))[key(tab)] ?? [];
  if (shown.at(-1) !== url) await browser.storage.session.set({ [key(tab)]: [...shown, url].slice(-2) });
}

export async function forgetTrail() {
  await browser.storage.session.clear();
}

function readOrigin(address) {
  return URL.canParse(address) ? new URL(address).origin : "";
}
