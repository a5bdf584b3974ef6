// What the user chose. The token lies beside it, in storage that pages and content scripts cannot read.

import { browser } from "./browser.js";

export const MARKS = ["dead", "moved", "large", "language", "relevant", "external", "known", "read", "changed"];
export const KEYS = ["Control", "Alt", "Shift", "none"];
const SHOWN_AT_FIRST = ["dead", "moved", "large", "language", "relevant", "changed"];
const OURS = /^http:\/\/(127\.0\.0\.1|localhost)(:\d{1,5})?$/;
const MOST_SITES = 1000;

export const DEFAULTS = Object.freeze({
  server: "http://127.0.0.1:8080",
  on: true,
  offSites: [],
  onHover: true,
  hoverMs: 500,
  onFocus: true,
  key: "Control",
  passwords: false,
  marks: Object.fromEntries(MARKS.map((name) => [name, SHOWN_AT_FIRST.includes(name)])),
  previews: false,
  history: false,
  historyPaused: false,
  pausedSites: [],
});

// Content scripts share this storage unless told otherwise. Firefox has no such call: there, they simply never ask for it.
export async function keepStorageFromPages() {
  await browser.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
}

export async function readSettings() {
  const { settings } = await browser.storage.local.get("settings");
  return { ...DEFAULTS, ...settings, marks: { ...DEFAULTS.marks, ...settings?.marks } };
}

// Settings change one after another: two keys pressed at once would otherwise overwrite each other.
let lastChange = Promise.resolve();

export function changeSettings(change) {
  const next = lastChange.then(async () => {
    const old = await readSettings();
    const settings = clean({ ...old, ...(typeof change === "function" ? change(old) : change) });
    await browser.storage.local.set({ settings });
    return settings;
  });
  lastChange = next.catch(() => undefined);
  return next;
}

function clean(given) {
  const server = readServer(given.server);
  const hoverMs = Math.round(Math.min(5000, Math.max(100, Number(given.hoverMs) || DEFAULTS.hoverMs)));
  const [offSites, pausedSites] = [readSites(given.offSites), readSites(given.pausedSites)];
  const key = KEYS.includes(given.key) ? given.key : DEFAULTS.key;
  const marks = Object.fromEntries(MARKS.map((name) => [name, Boolean(given.marks[name])]));
  const flags = ["on", "onHover", "onFocus", "passwords", "previews", "history", "historyPaused"];
  return { server, hoverMs, offSites, pausedSites, key, marks, ...Object.fromEntries(flags.map((name) => [name, Boolean(given[name])])) };
}

function readSites(given) {
  return [...new Set(given.map(readSite).filter(Boolean))].slice(0, MOST_SITES);
}

// The server is on this machine, or it is nowhere: any other address is an error with a sentence.
export function readServer(text) {
  const address = String(text).trim().replace(/\/+$/, "");
  const given = /^https?:/.test(address) ? address : `http://${address}`;
  if (!OURS.test(given)) {
    throw new Error("The server must be on this machine: give an address such as http://127.0.0.1:8080.");
  }
  return given;
}

// A site as the user wrote it, with or without scheme and path; "" if it is none.
export function readSite(text) {
  const name = String(text).trim().toLowerCase().replace(/^[a-z]+:\/\//, "").replace(/[/:?#].*$/, "").replace(/^\*?\./, "");
  return /^[^\s@]+$/.test(name) ? name : "";
}

export function findSite(address) {
  try {
    return new URL(address).hostname;
  } catch {
    return "";
  }
}

export function isOff(settings, site) {
  return isOneOf(settings.offSites, site);
}

// Whether what is read on a site is kept, as far as the user has a say.
export function keepsHistory(settings, site) {
  return settings.history && !settings.historyPaused && !isPaused(settings, site) && !isOff(settings, site);
}

export function isPaused(settings, site) {
  return isOneOf(settings.pausedSites, site);
}

function isOneOf(sites, site) {
  return sites.some((one) => site === one || site.endsWith(`.${one}`));
}

export function isOwnPage(settings, address) {
  try {
    const [page, server] = [new URL(address), new URL(settings.server)];
    return page.port === server.port && ["127.0.0.1", "localhost"].includes(page.hostname);
  } catch {
    return false;
  }
}
