// What the panel, the options and the window of the button may ask. The token stays here all the same.

import { browser } from "./browser.js";
import { refreshStatus, showTrouble } from "./features.js";
import { beginPairing, collectToken } from "./pairing.js";
import { ask, askPicture, forgetToken, readToken } from "./server.js";
import { changeSettings, findSite, isOff, isOwnPage, isPaused, readSettings } from "./settings.js";
import { beginRequest } from "./stale_requests.js";
import { forgetTrail } from "./visit_trail.js";

const READS = ["backlinks", "related", "site", "place", "versions", "history", "trail"];
const MOST_SAVED = 10_000_000;
const FORGETS = ["url", "site", "day", "all"];

async function sendSettings() {
  return { settings: await readSettings(), paired: Boolean(await readToken()) };
}

async function change({ settings }) {
  return { settings: await changeSettings(settings) };
}

async function pair() {
  return beginPairing();
}

async function collect() {
  const found = await collectToken();
  if (found.paired) {
    await refreshStatus();
    await greetAgain();
  }
  return found;
}

async function unpair() {
  await forgetToken();
  await showTrouble(null);
  await greetAgain();
  return {};
}

// Read something about a page; of each kind, one request runs at a time.
async function read({ what, asked }, sender) {
  if (!READS.includes(what)) throw new Error(`The panel cannot read ${what}.`);
  const words = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
  return ask(`/api/navigate/${what}?${words}`, { signal: beginRequest(sender.documentId ?? sender.url, what), patient: true });
}

// The small picture of a page, as base64; "" if there is none.
async function sendPicture({ url }) {
  return { picture: await askPicture(`/api/navigate/picture?url=${encodeURIComponent(String(url))}`) };
}

async function forgetHistory({ what, value }) {
  if (!FORGETS.includes(what)) throw new Error("Choose what to forget: a page, a site, a day or all.");
  // Pages that are open would otherwise tell of their visit again when they are left.
  await sayToTabs({ say: "forget", what, value });
  await forgetTrail();
  return ask("/api/navigate/history/forget", { body: { [what]: what === "all" ? true : String(value) }, patient: true });
}

// Keep a page as its tab shows it.
async function save({ tab }) {
  const copy = await browser.tabs.sendMessage(tab, { say: "copy" }, { frameId: 0 }).catch(() => null);
  if (!copy?.html) throw new Error("This page cannot be saved: load it again, and save it then.");
  if (copy.html.length > MOST_SAVED) throw new Error("This page is too large to be saved: at most 10 MB are kept.");
  const { note } = await ask("/api/navigate/saves", { body: { url: copy.url, title: copy.title, html: copy.html }, patient: true });
  return { said: note || "Saved: your collection has the page as it is shown here." };
}

// The page in a tab, as its content script says; none where no script runs: then `url` is "".
async function findPage({ tab }) {
  const [settings, found] = [await readSettings(), tab ? { id: tab } : await findActiveTab()];
  const told = await browser.tabs.sendMessage(found.id, { say: "where" }, { frameId: 0 }).catch(() => null);
  const url = told?.url ?? "";
  const site = findSite(url);
  return { tab: found.id, url, title: told?.title ?? "", site, off: isOff(settings, site), own: isOwnPage(settings, url), paused: isPaused(settings, site), rests: told?.rests ?? true };
}

async function findActiveTab() {
  const [tab] = await browser.tabs.query({ active: true, lastFocusedWindow: true });
  return tab ?? { id: -1 };
}

// Let all open pages ask anew what they may show.
export async function greetAgain() {
  await sayToTabs({ say: "greet" });
}

async function sayToTabs(said) {
  const tabs = await browser.tabs.query({});
  await Promise.all(tabs.map((tab) => browser.tabs.sendMessage(tab.id, said).catch(() => undefined)));
}

const ANSWERS = { settings: sendSettings, change, pair, collect, unpair, read, picture: sendPicture, forgetHistory, save, page: findPage, status: refreshStatus };

export async function answerOwnPage(given, sender) {
  const answer = Object.hasOwn(ANSWERS, given.ask) ? ANSWERS[given.ask] : null;
  if (!answer) return undefined;
  try {
    return await answer(given, sender);
  } catch (error) {
    return { error: error.message, kind: error.kind ?? "failed" };
  }
}
