// Fetch labels of what is in sight, and the pages of hosts when the picture is enlarged.
"use strict";

{
const { state, address, fetchJson, controls, which, opened } = Workbench;
const OPEN_RATIO = 0.25; // hosts open into their pages when the picture is enlarged this much
const MOST_OPEN = 20_000; // pages inside opened hosts

async function cameraRests() {
  if (!state.renderer) return;
  const { ratio } = state.renderer.getCamera();
  if (ratio > 2 * OPEN_RATIO) closeGroups();
  if (ratio > OPEN_RATIO) return;
  const { width, height } = state.renderer.getDimensions();
  const inSight = [];
  for (const node of state.byRank) {
    if (state.shown && !state.shown[node]) continue;
    const at = state.renderer.graphToViewport({ x: state.picture.x[node], y: state.picture.y[node] });
    if (at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height) inSight.push(node);
    if (inSight.length >= 200) break;
  }
  await fetchLabels(inSight.filter((node) => !state.picture.labels.has(node)));
  if (which.level !== "pages") for (const node of inSight.slice(0, 4)) await openGroup(node);
}

async function fetchLabels(nodes) {
  if (!nodes.length) return;
  let found;
  try {
    found = await fetchJson("labels", { stamp: state.picture.stamp, nodes: nodes.join(",") });
  } catch (error) {
    return;
  }
  for (const [node, text] of Object.entries(found)) {
    state.picture.labels.set(Number(node), text);
    Workbench.labelNode(node, text);
  }
}

function nearestDistance(node) {
  let least = Infinity;
  for (let other = 0; other < state.picture.nodes; other++) {
    if (other === node) continue;
    const away = Math.hypot(state.picture.x[node] - state.picture.x[other], state.picture.y[node] - state.picture.y[other]);
    if (away < least) least = away;
  }
  return Number.isFinite(least) && least > 0 ? least : 1;
}

async function openGroup(node) {
  if (opened.has(node) || opened.size > 40) return;
  opened.set(node, true);
  const kind = { hosts: "host", sites: "site", communities: "community" }[which.level];
  const within = kind === "community" ? `community:${node + 1}` : `${kind}:${state.picture.labels.get(node) || ""}`;
  const of = { level: "pages", within };
  try {
    for (let tries = 0; tries < 100; tries++) {
      const job = await fetchJson("progress", of);
      if (job.state === "failed") return;
      if (job.state === "ready") break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const answer = await fetch(address("graph", of));
    if (answer.ok) placeInside(node, Workbench.decode(await answer.arrayBuffer()), of);
  } catch (error) {
    opened.delete(node);
  }
}

function closeGroups() {
  if (!opened.size) return;
  opened.clear();
  for (const key of state.graph.filterNodes((_, own) => own.group !== undefined)) state.graph.dropNode(key);
  Workbench.repaint();
}

function placeInside(node, part, of) {
  if (!opened.has(node) || part.nodes + state.graph.order - state.picture.nodes > MOST_OPEN) return;
  const radius = 0.42 * nearestDistance(node);
  const scale = (2 * radius) / part.side / Math.SQRT2;
  const middle = part.low.map((low) => low + part.side / 2);
  const colours = part.columns.get(controls.elements.colour.value) || part.columns.get("community");
  for (let page = 0; page < part.nodes; page++) {
    state.graph.addNode(`${node}/${page}`, {
      x: state.picture.x[node] + (part.x[page] - middle[0]) * scale,
      y: state.picture.y[node] + (part.y[page] - middle[1]) * scale,
      label: part.labels.get(page) || "",
      color: colours ? colours.colours[colours.codes[page]] : "#0072b2",
      size: 1.2,
      group: node,
      node: page,
      of,
      stamp: part.stamp,
    });
  }
  for (let at = 0; at < part.sources.length; at++) state.graph.addDirectedEdge(`${node}/${part.sources[at]}`, `${node}/${part.targets[at]}`);
  state.graph.setNodeAttribute(String(node), "size", 1);
}

Object.assign(Workbench, { cameraRests });
}
