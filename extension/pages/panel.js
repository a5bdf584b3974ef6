// The panel: the pages that link to the page beside it, and what else the server announces about that page.

import { ask, browser } from "./ask.js";
import { find, formatCount, formatDay, make, makeLink, makeList, shorten, tell } from "./elements.js";
import { showHistory } from "./panel_history.js";
import { showPictures } from "./panel_pictures.js";
import { showMore } from "./panel_sections.js";

const FEW = 5;
const COUNT = 20;
const SETTLE_MS = 120;
const SECTIONS = ["backlinks", "related", "place", "map", "versions", "trail"];
// Opened in a tab of its own, the panel keeps to the tab whose number stands in its address.
const fixedTab = Number(new URLSearchParams(location.search).get("tab")) || 0;
let page = { tab: -1, url: "" };
let shown = 0;
let turn = 0;

// Show the page that is read now; what was asked about the one before is dropped.
async function showPage(isForced = false) {
  const mine = ++turn;
  const found = await ask("page", { tab: fixedTab });
  if (mine !== turn || (!isForced && found.url === page.url && found.tab === page.tab)) return;
  page = found;
  showHistory(page);
  find("save-row").hidden = true;
  tell(find("saved"), "");
  for (const id of SECTIONS) find(id).hidden = true;
  tell(find("trouble"), "");
  find("again").hidden = find("options").hidden = true;
  find("page").hidden = !page.url;
  find("title").textContent = page.title || shorten(page.url);
  find("address").textContent = shorten(page.url);
  if (!page.url) return tell(find("state"), "Open a page of the web to see which pages link to it. Pages that were open before the extension was installed must be loaded again.");
  if (page.own) return tell(find("state"), "This page belongs to Gossamer itself.");
  if (page.off) return tell(find("state"), `Gossamer is off on ${page.site}: nothing is asked about its pages. Its button in the toolbar turns it on.`);
  tell(find("state"), "Looking …");
  find("order").value = "best";
  fillTopics([], "");
  await showBacklinks({}, mine);
  if (mine === turn && !find("backlinks").hidden) await showMore(page.url, () => mine === turn);
  return undefined;
}

async function showBacklinks(wanted = readChoice(), mine = turn) {
  const { site = "", topic = "", order = "best" } = wanted;
  const found = await ask("read", { what: "backlinks", asked: { url: page.url, site, topic, order, count: COUNT } });
  if (mine !== turn || found.kind === "cancelled") return;
  tell(find("state"), "");
  if (found.error) return showTrouble(found);
  find("backlinks").hidden = false;
  shown = found.items.length;
  find("count").textContent = describeCount(found, site, topic);
  find("items").replaceChildren(...(shown ? [makeList(found.items.map(describe), "found")] : []));
  find("lines").replaceChildren(...(found.lines ?? []).map(({ plugin, text }) => make("p", `${plugin}: ${text}`, { class: "hint", dir: "auto" })));
  find("more").hidden = shown >= found.found;
  find("ordering").hidden = shown < 2 && order === "best";
  find("few").hidden = Boolean(site || topic) || found.found >= FEW;
  find("command").textContent = found.collect;
  tell(find("copied"), "");
  if (!site && !topic) fillSites(found.sites);
  fillTopics(found.items.flatMap((one) => one.topics ?? []), topic);
  showPictures(found.items, find("items"), () => mine === turn);
  return undefined;
}

function readChoice() {
  return { site: find("site").value, topic: find("topic").value, order: find("order").value };
}

async function showNext() {
  const mine = turn;
  const found = await ask("read", { what: "backlinks", asked: { url: page.url, ...readChoice(), offset: shown, count: COUNT } });
  if (mine !== turn) return;
  if (found.error) return showTrouble(found);
  const list = find("items").querySelector("ul");
  const fresh = [...makeList(found.items.map(describe), "found").children];
  list.append(...fresh);
  showPictures(found.items, list, () => mine === turn);
  shown += fresh.length;
  find("more").hidden = shown >= found.found || !fresh.length;
  fresh[0]?.querySelector("a")?.focus();
  return undefined;
}

function describeCount({ found, known }, site, topic) {
  const from = `${site ? ` from ${site}` : ""}${topic ? ` about ${topic}` : ""}`;
  if (found) return `${formatCount(found, "page")} ${found === 1 ? "links" : "link"} here${from}`;
  if (from) return `No page${from} links here`;
  return known ? "No page of your collection links here." : "No page of your collection links here, and it does not have this page.";
}

function describe(item) {
  const facts = [item.site, formatDay(item.written_s), item.language, ...item.topics].filter(Boolean).join(" · ");
  return [makeLink(item.title || shorten(item.url), item.url), make("p", facts, { class: "site" }), describeWords(item)];
}

function describeWords({ before, anchor, after }) {
  if (!before && !after && !anchor) return null;
  const words = make("p", "", { class: "words", dir: "auto" });
  words.append(before ? `… ${before} ` : "", make("mark", anchor || "link"), after ? ` ${after} …` : "");
  return words;
}

function fillSites(sites) {
  find("filter").hidden = sites.length < 2;
  const all = make("option", "All sites", { value: "" });
  find("site").replaceChildren(all, ...sites.map(({ name, count }) => make("option", `${name} (${count})`, { value: name })));
}

// Topics of the pages that are listed; the one that is chosen stays.
function fillTopics(names, chosen) {
  const known = [...new Set([...(chosen ? [chosen] : []), ...names])].sort();
  find("about").hidden = !known.length;
  find("topic").replaceChildren(make("option", "All topics", { value: "" }), ...known.map((name) => make("option", name, { value: name })));
  find("topic").value = chosen;
}

function showTrouble({ error, kind }) {
  tell(find("state"), "");
  tell(find("trouble"), error, "wrong");
  find("backlinks").hidden = true;
  find("options").hidden = kind !== "unpaired";
  find("again").hidden = kind === "unpaired";
}

async function copy() {
  try {
    await navigator.clipboard.writeText(find("command").textContent);
    tell(find("copied"), "Copied.");
  } catch {
    getSelection().selectAllChildren(find("command"));
    tell(find("copied"), "Press Ctrl+C to copy it.");
  }
}

async function save() {
  find("save").disabled = true;
  tell(find("saved"), "Saving …");
  const { said, error } = await ask("save", { tab: page.tab });
  tell(find("saved"), error ?? said);
  find("save").disabled = false;
}

let settling = 0;
function lookSoon() {
  clearTimeout(settling);
  settling = setTimeout(showPage, SETTLE_MS);
}

for (const id of ["site", "topic", "order"]) find(id).addEventListener("change", () => showBacklinks());
find("more").addEventListener("click", showNext);
find("again").addEventListener("click", () => showPage(true));
find("options").addEventListener("click", () => browser.runtime.openOptionsPage());
find("copy").addEventListener("click", copy);
find("save").addEventListener("click", save);
browser.tabs.onActivated.addListener(lookSoon);
browser.windows.onFocusChanged.addListener(lookSoon);
// Content scripts greet the background when a page begins; the panel hears it, too, and asks for the page.
browser.runtime.onMessage.addListener((given) => void (given?.ask === "greet" && lookSoon()));
browser.storage.local.onChanged.addListener((changed) => (changed.settings || changed.token) && showPage(true));
showPage(true);
