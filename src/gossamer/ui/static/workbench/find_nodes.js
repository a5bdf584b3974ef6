// Filter the nodes, and search among them.
"use strict";

{
const { state, $, address, count, say, fetchJson, debounce, line, small, controls, which } = Workbench;

const FILTERS = ["depth_from", "depth_to", "language", "status", "region", "host", "community", "mark", "least", "greatest", "category", "values"];
const readFilter = () => Object.fromEntries(FILTERS.map((name) => [name, controls.elements[name] ? controls.elements[name].value.trim() : ""]));
const hasFilter = () => Object.entries(readFilter()).some(([name, value]) => value && name !== "mark" && name !== "category");

async function applyFilter() {
  if (!state.renderer) return;
  if (!hasFilter()) state.shown = null;
  else {
    const answer = await fetch(address("filter", { stamp: state.picture.stamp, ...readFilter() }));
    if (!answer.ok) return say((await answer.json()).error);
    const bits = new Uint8Array(await answer.arrayBuffer());
    state.shown = Uint8Array.from({ length: state.picture.nodes }, (_, node) => (bits[node >> 3] >> (node & 7)) & 1);
  }
  Workbench.repaint();
  if (state.shown) say(`${count(state.shown.reduce((sum, bit) => sum + bit, 0))} of ${count(state.picture.nodes)} ${which.level} are shown`);
  else Workbench.tellSize();
}

controls.addEventListener("submit", (event) => {
  if (!state.renderer) return;
  event.preventDefault();
  applyFilter();
});
controls.addEventListener("change", (event) => {
  const name = event.target.name;
  if (name === "level") {
    controls.elements.within.value = "";
    controls.submit();
  } else if (name === "links") controls.submit();
  else if (!state.renderer) return;
  else if (name === "colour" || name === "size") {
    Workbench.repaint(false);
    Workbench.drawLegend();
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
    answer = await fetchJson("find", { stamp: state.picture.stamp, q: words });
  } catch (error) {
    return Workbench.reloadOrSay(error);
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
      Workbench.openNode(String(one.node));
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

function goTo(key) {
  if (!state.graph.hasNode(key)) return;
  const place = state.renderer.getNodeDisplayData(key);
  if (!place) return;
  state.graph.forEachNode((other, attributes) => attributes.highlighted && state.graph.removeNodeAttribute(other, "highlighted"));
  state.graph.setNodeAttribute(key, "highlighted", true);
  const camera = state.renderer.getCamera();
  camera.animate({ x: place.x, y: place.y, ratio: Math.min(camera.ratio, 0.3) }, { duration: 250 });
}

Object.assign(Workbench, { hasFilter, applyFilter, goTo });
}
