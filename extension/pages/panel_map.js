// Where a page stands in its site: a small drawing of its neighbours, and the same as links below each other.

import { make, makeLink, makeList, shorten } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, STEP, TOP, RADIUS] = [300, 46, 14, 5];

// Return the elements of the map; none if the site has no other page that is known.
export function makeMap({ way = [], before = [], after = [], left_out = 0 }) {
  if (way.length + before.length + after.length < 2) return [];
  const rows = [...way.slice(0, -1).map((one) => [one]), way.slice(-1), after].filter((row) => row.length);
  const list = (heading, pages) => (pages.length ? [make("h3", heading), makeList(pages.map((one) => [makeLink(one.title || shorten(one.url), one.url)]), "found short")] : []);
  return [
    draw(rows, way.length - 1, before),
    ...list("The way to it", way.slice(0, -1)),
    ...list("Pages of this site that link here", before),
    ...list("Pages of this site that it links to", after),
    ...(left_out ? [make("p", `${left_out} more are left out.`, { class: "hint" })] : []),
  ];
}

// The way goes down, one row for each step; beside the page stand those that link to it, below it those to which it leads.
function draw(rows, ownRow, before) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${2 * TOP + (rows.length - 1) * STEP}`, class: "map", "aria-hidden": "true" });
  const places = rows.map((row, at) => row.map((_, n) => [((n + 0.5) * WIDTH) / row.length, TOP + at * STEP]));
  const own = places[ownRow][0];
  const beside = before.map((_, n) => [(n % 2 ? WIDTH : 0) + (n % 2 ? -1 : 1) * (12 + 14 * Math.floor(n / 2)), own[1]]);
  const lines = places.slice(0, ownRow).map((row, at) => [row[0], places[at + 1][0]]);
  for (const [from, to] of [...lines, ...beside.map((one) => [one, own]), ...(places[ownRow + 1] ?? []).map((one) => [own, one])]) {
    const bend = (from[1] + to[1]) / 2 + (from[1] === to[1] ? 16 : 0);
    svg.append(shape("path", { d: `M${from.join(" ")}C${from[0]} ${bend} ${to[0]} ${bend} ${to.join(" ")}` }));
  }
  for (const [x, y] of [...places.flat(), ...beside]) svg.append(shape("circle", { cx: x, cy: y, r: RADIUS }));
  svg.append(shape("circle", { cx: own[0], cy: own[1], r: RADIUS + 2, class: "own" }));
  return svg;
}

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
