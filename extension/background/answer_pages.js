// What content scripts may ask: they run beside pages of the web, so they get cards and marks, never the token.

import { readFeatures, refreshStatus, showTrouble } from "./features.js";
import { askMarks } from "./mark_batches.js";
import { ask, askPicture, readToken } from "./server.js";
import { changeSettings, findSite, isOff, isOwnPage, keepsHistory, readSettings } from "./settings.js";
import { beginRequest, joinRequest, stopRequest, stopTab } from "./stale_requests.js";
import { findOrigin, noteVisit } from "./visit_trail.js";

const MOST_ASKED = 2000;
const SOON_MS = 300;
const query = (url) => `?url=${encodeURIComponent(String(url))}`;

// A page has begun: say what it may show. It rests on pages of the server, where the user wants it, and before pairing; and on pages that
// ask for a password unless `passwords` says otherwise: the page itself sees that. `found` has the marks of its links, if they come soon.
async function greet({ links = [] }, sender) {
  stopTab(sender.tab.id);
  const settings = await readSettings();
  const rests = isOwnPage(settings, sender.url) || isOff(settings, findSite(sender.url)) || !(await readToken());
  if (rests) return { rests: true };
  const features = await readFeatures();
  const { on, onHover, hoverMs, onFocus, key } = settings;
  const marks = features.includes("marks") ? Object.keys(settings.marks).filter((name) => settings.marks[name]) : [];
  const found = on && marks.length ? await findSoon(links, sender) : null;
  return {
    rests: false, on, onHover, hoverMs, onFocus, key, marks, found,
    previews: settings.previews && features.includes("previews"),
    pictures: features.includes("pictures"),
    passwords: settings.passwords,
    keeps: features.includes("history") && !sender.tab.incognito && keepsHistory(settings, findSite(sender.url)),
  };
}

// Return the marks of some links; null if the server does not answer at once: cards must not wait for that.
async function findSoon(links, sender) {
  const late = new Promise((resolve) => setTimeout(() => resolve(null), SOON_MS));
  return Promise.race([sendMarks({ links }, sender).then(({ marks }) => marks, () => null), late]);
}

async function sendCard({ url }, sender) {
  return { card: await ask(`/api/navigate/card${query(url)}`, { signal: beginRequest(sender.tab.id, "card") }) };
}

async function sendPreview({ url }, sender) {
  const signal = beginRequest(sender.tab.id, "card");
  return ask("/api/navigate/previews", { body: { url: String(url) }, signal });
}

async function sendPicture({ url }, sender) {
  return { picture: await askPicture(`/api/navigate/picture${query(url)}`, joinRequest(sender.tab.id, "card")) };
}

async function sendMarks({ links }, sender) {
  const wanted = links.slice(0, MOST_ASKED).map(String);
  return { marks: await askMarks(sender.tab.id, sender.url, wanted, joinRequest(sender.tab.id, "page")) };
}

// Keep a visit. The settings are read anew: they may have changed since the page began.
async function keepVisit({ visit, cameFrom }, sender) {
  const settings = await readSettings();
  const url = String(visit.url);
  if (sender.tab.incognito || sender.frameId !== 0 || isOwnPage(settings, url) || !keepsHistory(settings, findSite(url))) return {};
  const origin = await findOrigin(sender.tab, url, String(cameFrom));
  const from = keepsHistory(settings, findSite(origin)) && !isOwnPage(settings, origin) ? origin : "";
  await noteVisit(sender.tab.id, url);
  const { title, text, opened_s, seconds } = visit;
  await ask("/api/navigate/visits", { body: { visits: [{ url, title, text, opened_s, seconds, from }] } });
  return {};
}

async function turn({ where, on }, sender) {
  const site = findSite(sender.url);
  const offSites = (old) => (on ? old.offSites.filter((one) => one !== site) : [...old.offSites, site]);
  await changeSettings(where === "site" ? (old) => ({ offSites: offSites(old) }) : { on: Boolean(on) });
  return {};
}

async function cancel(_given, sender) {
  stopRequest(sender.tab.id, "card");
  return {};
}

const ANSWERS = { greet, card: sendCard, preview: sendPreview, picture: sendPicture, marks: sendMarks, visit: keepVisit, turn, cancel };

export async function answerPage(given, sender) {
  const answer = Object.hasOwn(ANSWERS, given.ask) ? ANSWERS[given.ask] : null;
  if (!answer || !sender.tab) return undefined;
  try {
    return await answer(given, sender);
  } catch (error) {
    if (["absent", "unpaired", "other"].includes(error.kind)) await showTrouble(error);
    if (error.kind === "off") refreshStatus().catch(() => undefined);
    return { error: error.message, kind: error.kind ?? "failed" };
  }
}
