// The further sections of the panel, each of a feature that the server announces: pages like this one, its site, the trail.

import { ask } from "./ask.js";
import { find, formatCount, formatDay, make, makeLink, makeList, shorten } from "./elements.js";
import { makeMap } from "./panel_map.js";

const MOST_SHOWN = 10;

// Fill the sections whose features are announced; the others stay hidden.
export async function showMore(url, isFresh) {
  const [{ features = [] }, { settings }] = await Promise.all([ask("status"), ask("settings")]);
  if (isFresh()) find("save-row").hidden = !features.includes("saves");
  const read = async (what, show) => {
    const found = await ask("read", { what, asked: what === "site" ? { url, since: "visit" } : { url } });
    if (isFresh() && !found.error) show(found, { url, server: settings.server });
  };
  const wanted = [["related", showRelated], ["site", showSite], ["place", showMap], ["versions", showVersions], ["history", showTrail]].filter(([name]) => features.includes(name));
  await Promise.all(wanted.map(([name, show]) => read(name === "history" ? "trail" : name, show)));
}

function showRelated({ items = [] }) {
  fill("related", items.slice(0, MOST_SHOWN).map((one) => [makeLink(one.title || shorten(one.url), one.url), make("p", one.why || shorten(one.url), { class: "site" })]));
}

function showSite({ site, pages, start, since_s, changed = [], sequence = [] }, { url, server }) {
  const rows = [[make("p", `${site}: ${formatCount(pages, "page")} in your collection`, { class: "site" })]];
  if (start) rows.push([makeLink("Its start", start), make("p", shorten(start), { class: "site" })]);
  for (const one of changed.slice(0, MOST_SHOWN)) rows.push([makeLink(one.title || shorten(one.url), one.url), make("p", `${one.is_new ? "new" : "changed"} on ${formatDay(one.changed_s)}, since ${formatDay(since_s)}`, { class: "site" })]);
  if (sequence.length) rows.push([makeLink("Read or print it as one", `${server}/read?url=${encodeURIComponent(url)}`), make("p", `all ${formatCount(sequence.length, "part")}, below each other`, { class: "site" })]);
  sequence.forEach((one, at) => rows.push([makeLink(one.title || shorten(one.url), one.url), make("p", `part ${at + 1} of ${sequence.length}`, { class: "site" })]));
  fill("place", pages || start ? rows : []);
}

function showMap(place) {
  const parts = makeMap(place);
  find("map").hidden = !parts.length;
  find("map-items").replaceChildren(...parts);
}

// One version alone is the page as it is known: there is nothing to compare.
function showVersions({ items = [] }) {
  find("versions").hidden = items.length < 2;
  find("versions-items").replaceChildren(...(items.length < 2 ? [] : items.map(makeVersion)));
}

function makeVersion({ fetched_s, before_s, title, blocks, left_out }) {
  const details = make("details", "", { class: "version" });
  const what = before_s ? `compared with ${formatDay(before_s)}` : "the oldest that is kept";
  details.append(make("summary", `${formatDay(fetched_s)}, ${what}`), ...blocks.map(makeBlock));
  if (!blocks.length) details.append(make("p", before_s ? `Its title was “${title}”.` : title, { class: "words", dir: "auto" }));
  if (left_out) details.append(make("p", `${formatCount(left_out, "further paragraph")} ${left_out === 1 ? "differs" : "differ"}.`, { class: "hint" }));
  return details;
}

function makeBlock({ words }) {
  const block = make("p", "", { class: "words", dir: "auto" });
  const tags = { gone: "del", new: "ins", same: "span" };
  block.append(...words.map(({ kind, text }) => make(tags[kind] ?? "span", text)));
  return block;
}

function showTrail({ items = [] }) {
  fill("trail", items.slice(-MOST_SHOWN).map((one) => [makeLink(one.title || shorten(one.url), one.url), make("p", formatDay(one.opened_s), { class: "site" })]));
}

function fill(id, rows) {
  find(id).hidden = !rows.length;
  find(`${id}-items`).replaceChildren(...(rows.length ? [makeList(rows, "found")] : []));
}
