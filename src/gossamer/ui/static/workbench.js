// The link graph on a canvas: sigma draws it, and the server has laid it out. Texts of the web are only ever set as text.
"use strict";

(() => {

const NODES_AT_EASE = 20_000; // beyond this, links are not drawn while the graph moves
const ASK_S = 4; // how often to ask for what is new
const OPEN_RATIO = 0.25; // hosts open into their pages when the picture is enlarged this much
const MOST_OPEN = 20_000; // pages inside opened hosts
const SELECTED = "#d6006c";

const bench = document.getElementById("workbench");
const controls = document.getElementById("controls");
const stage = document.getElementById("graph");
const statusLine = document.getElementById("status");
const bar = document.getElementById("progress");
const panel = document.getElementById("panel");
const selectionForm = document.getElementById("selection");
const lasso = document.getElementById("lasso");
const legend = document.getElementById("legend");
const dark = window.matchMedia("(prefers-color-scheme: dark)");

const which = { level: bench.dataset.level, links: bench.dataset.links, within: bench.dataset.within };
let picture = null; // what the server sent, as typed arrays
let graph = null;
let renderer = null;
let byRank = []; // nodes from the best to the worst
let current = -1; // the node that the keyboard is at
let selection = new Set();
let shown = null; // a byte for each node, or null if no filter is set
let selects = false;
const opened = new Map(); // hosts that are opened into their pages

const $ = (id) => document.getElementById(id);
const address = (path, more) => `/workbench/${path}?${new URLSearchParams({ ...which, ...more })}`;
const count = (number) => number.toLocaleString("en");
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function say(text) {
  statusLine.textContent = text;
}

async function fetchJson(path, more) {
  const answer = await fetch(address(path, more));
  if (!answer.ok) throw new Error(answer.status === 400 ? "reload" : `the server answered ${answer.status}`);
  return answer.json();
}

// Loading

async function waitForPicture() {
  for (;;) {
    const state = await fetchJson("progress", {});
    if (state.state === "ready") return state;
    if (state.state === "failed") throw new Error(state.error);
    bar.hidden = false;
    bar.value = state.share;
    const left = state.left_s === null ? "" : `, about ${Math.max(1, Math.round(state.left_s))} s left`;
    say(`${state.step[0].toUpperCase()}${state.step.slice(1)} …${left}`);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
}

function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const kinds = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };
  const arrays = {};
  for (const one of head.arrays) arrays[one.name] = new kinds[one.type](buffer, 4 + length + one.at, one.count);
  const columns = new Map();
  for (const name of Object.keys(head.columns)) {
    const column = head.columns[name];
    columns.set(name, { ...column, codes: Array.from(arrays[`column ${name}`]) });
  }
  const x = new Float32Array(head.nodes);
  const y = new Float32Array(head.nodes);
  for (let node = 0; node < head.nodes; node++) {
    x[node] = head.low[0] + (arrays.places[2 * node] / 65535) * head.side;
    y[node] = head.low[1] + (arrays.places[2 * node + 1] / 65535) * head.side;
  }
  const labels = new Map(Object.entries(head.labels).map(([node, text]) => [Number(node), text]));
  return { ...head, arrays: undefined, columns, x: Array.from(x), y: Array.from(y), labels, sources: arrays.sources, targets: arrays.targets };
}

async function load() {
  try {
    await waitForPicture();
    const answer = await fetch(address("graph", {}));
    if (!answer.ok) throw new Error((await answer.json()).error);
    picture = decode(await answer.arrayBuffer());
  } catch (error) {
    bar.hidden = true;
    say(error.message);
    return;
  }
  bar.hidden = true;
  if (picture.nodes) show();
  else say("There are no pages yet.");
  setTimeout(askForNews, ASK_S * 1000);
}

// Drawing

const colourColumn = () => picture.columns.get(controls.elements.colour.value);
const sizeColumn = () => picture.columns.get(controls.elements.size.value);

function look(node, colours = colourColumn(), sizes = sizeColumn()) {
  const crowd = Math.min(1, Math.max(0.22, 22 / Math.sqrt(picture.nodes)));
  const code = sizes && !sizes.names ? sizes.codes[node] : 0;
  const share = code > 250 ? 0 : code / 250;
  return {
    color: selection.has(node) ? SELECTED : colours ? colours.colours[colours.codes[node]] : "#0072b2",
    size: (2.5 + 13 * share * share) * crowd + 0.4,
    hidden: shown !== null && !shown[node],
    zIndex: selection.has(node) ? 2 : share > 0.5 ? 1 : 0,
  };
}

function addNode(node, colours, sizes) {
  const own = look(node, colours, sizes);
  graph.addNode(String(node), { x: picture.x[node], y: picture.y[node], label: picture.labels.get(node) || "", ...own });
}

function fillGraph() {
  graph = new graphology.DirectedGraph();
  const colours = colourColumn();
  const sizes = sizeColumn();
  for (let node = 0; node < picture.nodes; node++) addNode(node, colours, sizes);
  const names = Array.from({ length: picture.nodes }, (_, node) => String(node));
  for (let link = 0; link < picture.sources.length; link++)
    graph.addDirectedEdgeWithKey(String(link), names[picture.sources[link]], names[picture.targets[link]], {});
  const rank = picture.columns.get("pagerank");
  byRank = Array.from({ length: picture.nodes }, (_, node) => node);
  if (rank) byRank.sort((a, b) => rank.codes[b] - rank.codes[a] || a - b);
}

function drawHover(context, data, settings) {
  const size = settings.labelSize;
  context.font = `${settings.labelWeight} ${size}px ${settings.labelFont}`;
  context.fillStyle = ink("--paper");
  context.strokeStyle = ink("--accent");
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
  context.stroke();
  if (!data.label) return;
  const text = data.label.length > 80 ? `${data.label.slice(0, 79)}…` : data.label;
  const wide = context.measureText(text).width;
  const left = data.x + data.size + wide + 14 > context.canvas.clientWidth ? data.x - data.size - wide - 14 : data.x + data.size + 6;
  context.beginPath();
  context.rect(left, data.y - size / 2 - 5, wide + 8, size + 10);
  context.fill();
  context.stroke();
  context.fillStyle = ink("--ink");
  context.fillText(text, left + 4, data.y + size / 3);
}

// Many links would cover the nodes if they were dark.
function edgeColour() {
  const few = picture.links < 10_000;
  if (dark.matches) return few ? "#3d4c46" : "#2b3733";
  return few ? "#c5cfcb" : "#dce3e0";
}

function makeSettings() {
  const large = picture.nodes > NODES_AT_EASE;
  const programs = Sigma.rendering || {};
  return {
    hideEdgesOnMove: large || picture.links > 2 * NODES_AT_EASE,
    hideLabelsOnMove: large,
    labelDensity: 0.5,
    labelGridCellSize: 170,
    labelRenderedSizeThreshold: large ? 3 : 5,
    labelFont: "system-ui, sans-serif",
    labelSize: 12,
    labelWeight: "500",
    labelColor: { color: ink("--ink") },
    defaultEdgeColor: edgeColour(),
    defaultEdgeType: "line",
    edgeProgramClasses: programs.EdgeLineProgram && large ? { line: programs.EdgeLineProgram } : undefined,
    minEdgeThickness: large ? 0.3 : 0.7,
    defaultDrawNodeHover: drawHover,
    zIndex: true,
    minCameraRatio: 0.002,
    maxCameraRatio: 4,
    allowInvalidContainer: true,
  };
}

function show() {
  fillGraph();
  $("fallback").hidden = true;
  stage.hidden = false;
  const settings = Object.fromEntries(Object.entries(makeSettings()).filter(([, value]) => value !== undefined));
  try {
    renderer = new Sigma(graph, stage, settings);
  } catch (error) {
    stage.hidden = true;
    $("fallback").hidden = false;
    say("This browser cannot draw the graph (WebGL is missing): the picture below is drawn by the server.");
    return;
  }
  for (const id of ["tools", "search", "hint", "anew"]) $(id).hidden = false;
  renderer.on("clickNode", ({ node }) => openNode(node));
  renderer.on("clickStage", () => {
    if (!selects) closePanel();
  });
  renderer.getCamera().on("updated", debounce(cameraRests, 350));
  requestAnimationFrame(() => requestAnimationFrame(markDrawn));
  tellSize();
  drawLegend();
  if (hasFilter()) applyFilter();
}

// The time of the first picture, for measurements.
function markDrawn() {
  stage.dataset.drawn = String(Math.round(performance.now()));
}

function tellSize() {
  const links = picture.all_links > picture.sources.length ? `${count(picture.sources.length)} of ${count(picture.all_links)} links` : `${count(picture.sources.length)} links`;
  const what = which.within ? ` of ${which.within}` : "";
  say(`${count(picture.nodes)} ${which.level}${what} · ${links}`);
}

function repaint(full = true) {
  const colours = colourColumn();
  const sizes = sizeColumn();
  graph.updateEachNodeAttributes(
    (key, attributes) => {
      if (attributes.group !== undefined) return attributes;
      return Object.assign(attributes, look(Number(key), colours, sizes));
    },
    { attributes: ["color", "size", "hidden", "zIndex"] },
  );
  renderer.refresh({ skipIndexation: !full });
}

function drawLegend() {
  legend.replaceChildren();
  const column = colourColumn();
  if (!column) return;
  const rows = column.names ? legendOfNames(column) : legendOfNumbers(column);
  for (const [colour, text] of rows) {
    const row = document.createElement("li");
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    dot.setAttribute("viewBox", "0 0 10 10");
    dot.setAttribute("aria-hidden", "true");
    const disc = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of [["cx", "5"], ["cy", "5"], ["r", "5"], ["fill", colour]]) disc.setAttribute(name, value);
    dot.append(disc);
    const words = document.createElement("span");
    words.textContent = text;
    words.dir = "auto";
    row.append(dot, words);
    legend.append(row);
  }
}

function legendOfNames(column) {
  const rows = column.names.slice(0, 12).map((name, code) => [column.colours[code], `${name || "none"} (${count(column.counts[code] || 0)})`]);
  if (column.all > 12) rows.push([column.colours[254], `${count(column.all - 12)} others`]);
  return rows.filter(([, text]) => !text.startsWith("none (0"));
}

function legendOfNumbers(column) {
  const number = (value) => (Number.isInteger(value) ? count(value) : value.toPrecision(2));
  return [
    [column.colours[0], number(column.least)],
    [column.colours[125], ""],
    [column.colours[250], number(column.most)],
  ].map(([colour, text], at) => [colour, at === 1 ? `${column.label} →` : text]);
}

function debounce(run, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
}

// Filters and search

const FILTERS = ["depth_from", "depth_to", "language", "status", "region", "host", "community", "mark", "least"];
const readFilter = () => Object.fromEntries(FILTERS.map((name) => [name, controls.elements[name] ? controls.elements[name].value.trim() : ""]));
const hasFilter = () => Object.entries(readFilter()).some(([name, value]) => value && name !== "mark");

async function applyFilter() {
  if (!renderer) return;
  if (!hasFilter()) shown = null;
  else {
    const answer = await fetch(address("filter", { stamp: picture.stamp, ...readFilter() }));
    if (!answer.ok) return say((await answer.json()).error);
    const bits = new Uint8Array(await answer.arrayBuffer());
    shown = Uint8Array.from({ length: picture.nodes }, (_, node) => (bits[node >> 3] >> (node & 7)) & 1);
  }
  repaint();
  if (shown) say(`${count(shown.reduce((sum, bit) => sum + bit, 0))} of ${count(picture.nodes)} ${which.level} are shown`);
  else tellSize();
}

controls.addEventListener("submit", (event) => {
  if (!renderer) return;
  event.preventDefault();
  applyFilter();
});
controls.addEventListener("change", (event) => {
  const name = event.target.name;
  if (name === "level") {
    controls.elements.within.value = "";
    controls.submit();
  } else if (name === "links") controls.submit();
  else if (!renderer) return;
  else if (name === "colour" || name === "size") {
    repaint(false);
    drawLegend();
  } else applyFilter();
});

const findSoon = debounce(find, 250);
$("words").addEventListener("input", findSoon);
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const first = $("found").querySelector("button");
  if (first) first.click();
  else find();
});

async function find() {
  const words = $("words").value.trim();
  const list = $("found");
  list.hidden = !words;
  if (!words) return;
  let answer;
  try {
    answer = await fetchJson("find", { stamp: picture.stamp, q: words });
  } catch (error) {
    return reloadOrSay(error);
  }
  list.replaceChildren();
  for (const one of answer.nodes) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.append(line(one.title || one.url), small(one.title ? one.url : ""));
    button.addEventListener("click", () => {
      list.hidden = true;
      goTo(String(one.node));
      openNode(String(one.node));
    });
    item.append(button);
    list.append(item);
  }
  if (!answer.nodes.length) {
    const item = document.createElement("li");
    item.className = "none";
    item.textContent = "Nothing found";
    list.append(item);
  }
}

function line(text) {
  const span = document.createElement("span");
  span.dir = "auto";
  span.textContent = text;
  return span;
}

function small(text) {
  const span = line(text);
  span.className = "small";
  return span;
}

function goTo(key) {
  if (!graph.hasNode(key)) return;
  const place = renderer.getNodeDisplayData(key);
  if (!place) return;
  graph.forEachNode((other, attributes) => attributes.highlighted && graph.removeNodeAttribute(other, "highlighted"));
  graph.setNodeAttribute(key, "highlighted", true);
  const camera = renderer.getCamera();
  camera.animate({ x: place.x, y: place.y, ratio: Math.min(camera.ratio, 0.3) }, { duration: 250 });
}

// Facts of a node

async function openNode(key) {
  const own = graph.getNodeAttributes(key);
  const place = own.group === undefined ? { more: {}, node: Number(key) } : { more: own.of, node: own.node };
  if (own.group === undefined) current = byRank.indexOf(place.node);
  let facts;
  try {
    const stamp = own.group === undefined ? picture.stamp : own.stamp;
    facts = await fetchJson("node", { ...place.more, stamp, node: place.node });
  } catch (error) {
    return reloadOrSay(error);
  }
  labelNode(key, facts.title || facts.url);
  showFacts(facts, own.group === undefined);
}

function labelNode(key, text) {
  graph.setNodeAttribute(key, "label", text.slice(0, 120));
}

function heading(text, level) {
  const head = document.createElement(level);
  head.dir = "auto";
  head.textContent = text;
  return head;
}

function link(href, text) {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  return anchor;
}

function showFacts(facts, isHere) {
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.setAttribute("aria-label", "Close the facts");
  close.textContent = "×";
  close.addEventListener("click", closePanel);
  const title = heading(facts.title || facts.url || "Untitled", "h2");
  title.tabIndex = -1;
  const parts = [close, title, factLinks(facts)];
  if (facts.text) {
    const text = heading(facts.text, "p");
    text.className = "beginning";
    parts.push(text);
  }
  parts.push(factTable(facts.facts));
  parts.push(neighbours("Links from here", facts.out, isHere), neighbours("Links to here", facts.in, isHere));
  panel.replaceChildren(...parts);
  panel.hidden = false;
  bench.classList.add("with-panel");
  title.focus({ preventScroll: window.innerWidth > 900 });
}

function factLinks(facts) {
  const row = document.createElement("p");
  row.className = "row";
  const query = facts.url ? new URLSearchParams({ url: facts.url }) : "";
  if (facts.url) {
    row.append(link(`/console/explain?${query}`, "Explain"));
    if (facts.archive) row.append(link(`/cached?${query}`, "Cached copy"));
    row.append(link(`/workbench/around?${query}`, "Around it"));
  }
  if (facts.within) row.append(link(`/workbench?${new URLSearchParams({ level: "pages", links: which.links, within: facts.within })}`, "Open its pages"));
  return row;
}

function factTable(facts) {
  const list = document.createElement("dl");
  for (const [name, value] of facts) {
    if (value === "") continue;
    list.append(heading(name, "dt"), heading(value, "dd"));
  }
  return list;
}

function neighbours(name, links, isHere) {
  const part = document.createElement("details");
  part.open = links.count > 0 && links.count <= 12;
  part.append(heading(`${name} (${count(links.count)})`, "summary"));
  const list = document.createElement("ul");
  for (const one of links.nodes) {
    const item = document.createElement("li");
    const text = one.title || one.url;
    if (isHere) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(line(text));
      button.addEventListener("click", () => {
        goTo(String(one.node));
        openNode(String(one.node));
      });
      item.append(button);
    } else item.append(line(text));
    list.append(item);
  }
  if (links.count > links.nodes.length) {
    const more = document.createElement("li");
    more.className = "small";
    more.textContent = `… and ${count(links.count - links.nodes.length)} more`;
    list.append(more);
  }
  part.append(list);
  return part;
}

function closePanel() {
  panel.hidden = true;
  bench.classList.toggle("with-panel", !selectionForm.hidden);
}

function reloadOrSay(error) {
  say(error.message === "reload" ? "The picture has changed: reload the page." : error.message);
}

// Selection

function choose(nodes, adds) {
  selection = adds ? new Set([...selection, ...nodes]) : new Set(nodes);
  repaint(false);
  $("selected").textContent = `${count(selection.size)} ${which.level}`;
  selectionForm.hidden = selection.size === 0;
  bench.classList.toggle("with-panel", !selectionForm.hidden || !panel.hidden);
}

function encodeSelection() {
  const bits = new Uint8Array((picture.nodes + 7) >> 3);
  for (const node of selection) bits[node >> 3] |= 1 << (node & 7);
  let text = "";
  for (let at = 0; at < bits.length; at += 8192) text += String.fromCharCode(...bits.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_");
}

selectionForm.addEventListener("submit", () => {
  const fields = selectionForm.elements;
  fields.selection.value = encodeSelection();
  fields.stamp.value = picture.stamp;
  fields.colour.value = controls.elements.colour.value;
  fields.size.value = controls.elements.size.value;
});
$("unselect").addEventListener("click", () => choose([], false));
$("select-shown").addEventListener("click", () => {
  const all = Array.from({ length: picture.nodes }, (_, node) => node);
  choose(shown ? all.filter((node) => shown[node]) : all, false);
});
$("select").addEventListener("click", (event) => {
  selects = !selects;
  event.currentTarget.setAttribute("aria-pressed", String(selects));
  stage.classList.toggle("selects", selects);
});

let corner = null;
function startLasso(event) {
  if (!renderer || event.button !== 0 || !(selects || event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
  const box = stage.getBoundingClientRect();
  corner = { x: event.clientX - box.left, y: event.clientY - box.top, adds: event.shiftKey && selects };
  stage.setPointerCapture(event.pointerId);
  moveLasso(event);
}
function moveLasso(event) {
  if (!corner) return;
  event.stopPropagation();
  const box = stage.getBoundingClientRect();
  corner.toX = event.clientX - box.left;
  corner.toY = event.clientY - box.top;
  lasso.hidden = false;
  lasso.style.left = `${Math.min(corner.x, corner.toX)}px`;
  lasso.style.top = `${Math.min(corner.y, corner.toY)}px`;
  lasso.style.width = `${Math.abs(corner.toX - corner.x)}px`;
  lasso.style.height = `${Math.abs(corner.toY - corner.y)}px`;
}
function endLasso(event) {
  if (!corner) return;
  event.stopPropagation();
  const { x, y, toX, toY, adds } = corner;
  corner = null;
  lasso.hidden = true;
  if (Math.abs(toX - x) < 4 && Math.abs(toY - y) < 4) return;
  const inside = [];
  for (let node = 0; node < picture.nodes; node++) {
    if (shown && !shown[node]) continue;
    const at = renderer.graphToViewport({ x: picture.x[node], y: picture.y[node] });
    if (at.x >= Math.min(x, toX) && at.x <= Math.max(x, toX) && at.y >= Math.min(y, toY) && at.y <= Math.max(y, toY)) inside.push(node);
  }
  choose(inside, adds);
}
stage.addEventListener("pointerdown", startLasso, true);
stage.addEventListener("pointermove", moveLasso, true);
stage.addEventListener("pointerup", endLasso, true);
stage.addEventListener("mousedown", (event) => (selects || event.shiftKey) && event.stopPropagation(), true);
stage.addEventListener("touchstart", (event) => selects && event.stopPropagation(), true);

// Tools and keys

const zoom = (factor) => {
  const camera = renderer.getCamera();
  camera.animate({ ratio: camera.ratio * factor }, { duration: 150 });
};
$("zoom-in").addEventListener("click", () => zoom(1 / 1.6));
$("zoom-out").addEventListener("click", () => zoom(1.6));
$("fit").addEventListener("click", () => renderer.getCamera().animatedReset({ duration: 200 }));
$("png").addEventListener("click", savePng);

function savePng() {
  renderer.refresh({ schedule: false });
  const { width, height } = renderer.getDimensions();
  const ratio = window.devicePixelRatio || 1;
  const paper = document.createElement("canvas");
  paper.width = width * ratio;
  paper.height = height * ratio;
  const context = paper.getContext("2d");
  context.fillStyle = ink("--paper");
  context.fillRect(0, 0, paper.width, paper.height);
  const canvases = renderer.getCanvases();
  for (const name of ["edges", "nodes", "edgeLabels", "labels", "hovers", "hoverNodes"])
    if (canvases[name]) context.drawImage(canvases[name], 0, 0, paper.width, paper.height);
  paper.toBlob((blob) => {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(blob);
    anchor.download = "graph.png";
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
  });
}

function step(by) {
  if (!byRank.length) return;
  for (let tries = 0; tries < byRank.length; tries++) {
    current = (current + by + byRank.length) % byRank.length;
    if (!shown || shown[byRank[current]]) break;
  }
  const key = String(byRank[current]);
  goTo(key);
  say(graph.getNodeAttribute(key, "label") || `Node ${key}`);
}

stage.addEventListener("keydown", (event) => {
  if (!renderer || event.ctrlKey || event.metaKey || event.altKey) return;
  const camera = renderer.getCamera();
  const by = 0.15 * camera.ratio;
  const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
  if (moves[event.key]) camera.setState({ x: camera.x + moves[event.key][0], y: camera.y + moves[event.key][1] });
  else if (event.key === "+" || event.key === "=") zoom(1 / 1.4);
  else if (event.key === "-") zoom(1.4);
  else if (event.key === "0") camera.animatedReset({ duration: 200 });
  else if (event.key.toLowerCase() === "n") step(1);
  else if (event.key.toLowerCase() === "p") step(-1);
  else if (event.key === "Enter") openNode(String(byRank[Math.max(current, 0)]));
  else if (event.key === "Escape") closePanel();
  else return;
  event.preventDefault();
});

// What is new while a crawl runs

async function askForNews() {
  if (!document.hidden) {
    try {
      const news = await fetchJson("news", { stamp: picture.stamp, known_nodes: picture.nodes, known_links: picture.sources.length });
      if (news.reload) {
        if (!picture.nodes) return void window.location.reload();
        say("The web has changed much: reload the page to see it.");
        return;
      }
      addNews(news);
    } catch (error) {
      /* the server may be restarting: ask again */
    }
  }
  setTimeout(askForNews, ASK_S * 1000);
}

function addNews(news) {
  const before = picture.nodes;
  if (news.nodes === before && !news.sources.length) return;
  if (!before) return window.location.reload(); // its columns are not known yet
  picture.nodes = news.nodes;
  picture.x.push(...news.x);
  picture.y.push(...news.y);
  for (const [name, codes] of Object.entries(news.columns)) {
    const column = picture.columns.get(name);
    if (column) column.codes.push(...codes);
  }
  for (const [node, text] of Object.entries(news.labels)) picture.labels.set(Number(node), text);
  const first = picture.sources.length;
  picture.sources = [...picture.sources, ...news.sources];
  picture.targets = [...picture.targets, ...news.targets];
  picture.all_links = Math.max(picture.all_links, picture.sources.length);
  if (!renderer) return;
  if (shown) shown = Uint8Array.from({ length: picture.nodes }, (_, node) => (node < before ? shown[node] : 1));
  for (let node = before; node < picture.nodes; node++) {
    addNode(node);
    byRank.push(node);
  }
  for (let at = 0; at < news.sources.length; at++)
    graph.addDirectedEdgeWithKey(String(first + at), String(news.sources[at]), String(news.targets[at]), {});
  if (hasFilter()) applyFilter();
  else tellSize();
}

// Labels of what is in sight, and pages of hosts when the picture is enlarged

async function cameraRests() {
  if (!renderer) return;
  const { ratio } = renderer.getCamera();
  if (ratio > 2 * OPEN_RATIO) closeGroups();
  if (ratio > OPEN_RATIO) return;
  const { width, height } = renderer.getDimensions();
  const inSight = [];
  for (const node of byRank) {
    if (shown && !shown[node]) continue;
    const at = renderer.graphToViewport({ x: picture.x[node], y: picture.y[node] });
    if (at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height) inSight.push(node);
    if (inSight.length >= 200) break;
  }
  await fetchLabels(inSight.filter((node) => !picture.labels.has(node)));
  if (which.level !== "pages") for (const node of inSight.slice(0, 4)) await openGroup(node);
}

async function fetchLabels(nodes) {
  if (!nodes.length) return;
  let found;
  try {
    found = await fetchJson("labels", { stamp: picture.stamp, nodes: nodes.join(",") });
  } catch (error) {
    return;
  }
  for (const [node, text] of Object.entries(found)) {
    picture.labels.set(Number(node), text);
    labelNode(node, text);
  }
}

function nearestDistance(node) {
  let least = Infinity;
  for (let other = 0; other < picture.nodes; other++) {
    if (other === node) continue;
    const away = Math.hypot(picture.x[node] - picture.x[other], picture.y[node] - picture.y[other]);
    if (away < least) least = away;
  }
  return Number.isFinite(least) && least > 0 ? least : 1;
}

async function openGroup(node) {
  if (opened.has(node) || opened.size > 40) return;
  opened.set(node, true);
  const kind = { hosts: "host", sites: "site", communities: "community" }[which.level];
  const within = kind === "community" ? `community:${node + 1}` : `${kind}:${picture.labels.get(node) || ""}`;
  const of = { level: "pages", within };
  try {
    for (let tries = 0; tries < 100; tries++) {
      const state = await fetchJson("progress", of);
      if (state.state === "failed") return;
      if (state.state === "ready") break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const answer = await fetch(address("graph", of));
    if (answer.ok) placeInside(node, decode(await answer.arrayBuffer()), of);
  } catch (error) {
    opened.delete(node);
  }
}

function closeGroups() {
  if (!opened.size) return;
  opened.clear();
  for (const key of graph.filterNodes((_, own) => own.group !== undefined)) graph.dropNode(key);
  repaint();
}

function placeInside(node, part, of) {
  if (!opened.has(node) || part.nodes + graph.order - picture.nodes > MOST_OPEN) return;
  const radius = 0.42 * nearestDistance(node);
  const scale = (2 * radius) / part.side / Math.SQRT2;
  const middle = part.low.map((low) => low + part.side / 2);
  const colours = part.columns.get(controls.elements.colour.value) || part.columns.get("community");
  for (let page = 0; page < part.nodes; page++) {
    graph.addNode(`${node}/${page}`, {
      x: picture.x[node] + (part.x[page] - middle[0]) * scale,
      y: picture.y[node] + (part.y[page] - middle[1]) * scale,
      label: part.labels.get(page) || "",
      color: colours ? colours.colours[colours.codes[page]] : "#0072b2",
      size: 1.2,
      group: node,
      node: page,
      of,
      stamp: part.stamp,
    });
  }
  for (let at = 0; at < part.sources.length; at++) graph.addDirectedEdge(`${node}/${part.sources[at]}`, `${node}/${part.targets[at]}`);
  graph.setNodeAttribute(String(node), "size", 1);
}

dark.addEventListener("change", () => {
  if (!renderer) return;
  renderer.setSetting("labelColor", { color: ink("--ink") });
  renderer.setSetting("defaultEdgeColor", edgeColour());
  renderer.refresh();
});

window.workbench = { camera: () => renderer.getCamera(), graph: () => graph, renderer: () => renderer, picture: () => picture };
if (window.innerWidth < 700) for (const part of controls.querySelectorAll("details")) part.open = false;
if (window.Sigma && window.graphology) load();
})();
