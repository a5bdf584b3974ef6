// Draw the graph with sigma: colours, sizes, labels.
"use strict";

{
const { state, $, count, ink, say, debounce, controls, stage, dark, which } = Workbench;
const NODES_AT_EASE = 20_000; // beyond this, links are not drawn while the graph moves
const SELECTED = "#d6006c";

const colourColumn = () => state.picture.columns.get(controls.elements.colour.value);
const sizeColumn = () => state.picture.columns.get(controls.elements.size.value);

function look(node, colours = colourColumn(), sizes = sizeColumn()) {
  const crowd = Math.min(1, Math.max(0.22, 22 / Math.sqrt(state.picture.nodes)));
  const code = sizes && !sizes.names ? sizes.codes[node] : 0;
  const share = code > 250 ? 0 : code / 250;
  return {
    color: state.selection.has(node) ? SELECTED : colours ? colours.colours[colours.codes[node]] : "#0072b2",
    size: (2.5 + 13 * share * share) * crowd + 0.4,
    hidden: state.shown !== null && !state.shown[node],
    zIndex: state.selection.has(node) ? 2 : share > 0.5 ? 1 : 0,
  };
}

function addNode(node, colours, sizes) {
  const own = look(node, colours, sizes);
  state.graph.addNode(String(node), { x: state.picture.x[node], y: state.picture.y[node], label: state.picture.labels.get(node) || "", ...own });
}

function fillGraph() {
  state.graph = new graphology.DirectedGraph();
  const colours = colourColumn();
  const sizes = sizeColumn();
  for (let node = 0; node < state.picture.nodes; node++) addNode(node, colours, sizes);
  const names = Array.from({ length: state.picture.nodes }, (_, node) => String(node));
  for (let at = 0; at < state.picture.sources.length; at++)
    state.graph.addDirectedEdgeWithKey(String(at), names[state.picture.sources[at]], names[state.picture.targets[at]], {});
  const rank = state.picture.columns.get("pagerank");
  state.byRank = Array.from({ length: state.picture.nodes }, (_, node) => node);
  if (rank) state.byRank.sort((a, b) => rank.codes[b] - rank.codes[a] || a - b);
}

// On the right of its node, or on the left where it would run over the edge.
function drawLabel(context, data, settings) {
  if (!data.label) return;
  const size = settings.labelSize;
  context.font = `${settings.labelWeight} ${size}px ${settings.labelFont}`;
  context.fillStyle = settings.labelColor.color;
  const wide = context.measureText(data.label).width;
  const right = data.x + data.size + 3;
  const left = data.x - data.size - 3 - wide;
  context.fillText(data.label, right + wide > context.canvas.clientWidth && left > 0 ? left : right, data.y + size / 3);
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

// Many links would cover the nodes if they were dark or wide.
const areFew = () => state.picture.links < 10_000;

function edgeColour() {
  const few = areFew();
  if (dark.matches) return few ? "#586b63" : "#35443e";
  return few ? "#c5cfcb" : "#dce3e0";
}

function makeSettings() {
  const large = state.picture.nodes > NODES_AT_EASE;
  const programs = Sigma.rendering || {};
  return {
    hideEdgesOnMove: large || state.picture.links > 2 * NODES_AT_EASE,
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
    minEdgeThickness: large ? 0.3 : areFew() ? 1.2 : 0.7,
    defaultDrawNodeLabel: drawLabel,
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
    state.renderer = new Sigma(state.graph, stage, settings);
  } catch (error) {
    stage.hidden = true;
    $("fallback").hidden = false;
    say("This browser cannot draw the graph (WebGL is missing): the picture below is drawn by the server.");
    return;
  }
  for (const id of ["tools", "search", "hint", "anew"]) $(id).hidden = false;
  state.renderer.on("clickNode", ({ node }) => Workbench.openNode(node));
  state.renderer.on("clickStage", () => {
    if (!state.selects) Workbench.closePanel();
  });
  state.renderer.getCamera().on("updated", debounce(Workbench.cameraRests, 350));
  requestAnimationFrame(() => requestAnimationFrame(markDrawn));
  tellSize();
  Workbench.drawLegend();
  if (Workbench.hasFilter()) Workbench.applyFilter();
}

// The time of the first picture, for measurements.
function markDrawn() {
  stage.dataset.drawn = String(Math.round(performance.now()));
}

function tellSize() {
  const links = state.picture.all_links > state.picture.sources.length ? `${count(state.picture.sources.length)} of ${count(state.picture.all_links)} links` : `${count(state.picture.sources.length)} links`;
  const what = which.within ? ` of ${which.within}` : "";
  say(`${count(state.picture.nodes)} ${which.level}${what} · ${links}`);
}

function repaint(full = true) {
  const colours = colourColumn();
  const sizes = sizeColumn();
  state.graph.updateEachNodeAttributes(
    (key, attributes) => {
      if (attributes.group !== undefined) return attributes;
      return Object.assign(attributes, look(Number(key), colours, sizes));
    },
    { attributes: ["color", "size", "hidden", "zIndex"] },
  );
  state.renderer.refresh({ skipIndexation: !full });
}

dark.addEventListener("change", () => {
  if (!state.renderer) return;
  state.renderer.setSetting("labelColor", { color: ink("--ink") });
  state.renderer.setSetting("defaultEdgeColor", edgeColour());
  state.renderer.refresh();
});

Object.assign(Workbench, { colourColumn, addNode, show, tellSize, repaint });
}
