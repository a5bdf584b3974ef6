// The further sections of the panel, each of a feature that the server announces: pages like this one, its site, the trail.

import { ask } from "./ask.js";
import { find, formatCount, formatDay, make, makeLink, makeList, shorten } from "./elements.js";

const MOST_SHOWN = 10;

// Fill the sections whose features are announced; the others stay hidden.
export async function showMore(url, isFresh) {
  const { features = [] } = await ask("status");
  if (isFresh()) find("save-row").hidden = !features.includes("saves");
  const read = async (what, show) => {
    const found = await ask("read", { what, asked: { url } });
    if (isFresh() && !found.error) show(found);
  };
  const wanted = [["related", showRelated], ["site", showSite], ["history", showTrail]].filter(([name]) => features.includes(name));
  await Promise.all(wanted.map(([name, show]) => read(name === "history" ? "trail" : name, show)));
}

function showRelated({ items = [] }) {
  fill("related", items.slice(0, MOST_SHOWN).map((one) => [makeLink(one.title || shorten(one.url), one.url), make("p", one.why || shorten(one.url), { class: "site" })]));
}

function showSite({ site, pages, start, changed = [], sequence = [] }) {
  const rows = [[make("p", `${site}: ${formatCount(pages, "page")} in your collection`, { class: "site" })]];
  if (start) rows.push([makeLink("Its start", start), make("p", shorten(start), { class: "site" })]);
  for (const one of changed.slice(0, MOST_SHOWN)) rows.push([makeLink(one.title || shorten(one.url), one.url), make("p", `changed on ${formatDay(one.changed_s)}`, { class: "site" })]);
  sequence.forEach((one, at) => rows.push([makeLink(one.title || shorten(one.url), one.url), make("p", `part ${at + 1} of ${sequence.length}`, { class: "site" })]));
  fill("place", pages || start ? rows : []);
}

function showTrail({ items = [] }) {
  fill("trail", items.slice(-MOST_SHOWN).map((one) => [makeLink(one.title || shorten(one.url), one.url), make("p", formatDay(one.opened_s), { class: "site" })]));
}

function fill(id, rows) {
  find(id).hidden = !rows.length;
  find(`${id}-items`).replaceChildren(...(rows.length ? [makeList(rows, "found")] : []));
}
