// Select nodes with a rectangle, and send them to the server.
"use strict";

{
const { state, $, count, bench, controls, stage, panel, selectionForm, lasso, which } = Workbench;

function choose(nodes, adds) {
  state.selection = adds ? new Set([...state.selection, ...nodes]) : new Set(nodes);
  Workbench.repaint(false);
  $("selected").textContent = `${count(state.selection.size)} ${which.level}`;
  selectionForm.hidden = state.selection.size === 0;
  bench.classList.toggle("with-panel", !selectionForm.hidden || !panel.hidden);
}

function encodeSelection() {
  const bits = new Uint8Array((state.picture.nodes + 7) >> 3);
  for (const node of state.selection) bits[node >> 3] |= 1 << (node & 7);
  let text = "";
  for (let at = 0; at < bits.length; at += 8192) text += String.fromCharCode(...bits.subarray(at, at + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_");
}

selectionForm.addEventListener("submit", () => {
  const fields = selectionForm.elements;
  fields.selection.value = encodeSelection();
  fields.stamp.value = state.picture.stamp;
  fields.colour.value = controls.elements.colour.value;
  fields.size.value = controls.elements.size.value;
});
$("unselect").addEventListener("click", () => choose([], false));
$("select-shown").addEventListener("click", () => {
  const all = Array.from({ length: state.picture.nodes }, (_, node) => node);
  choose(state.shown ? all.filter((node) => state.shown[node]) : all, false);
});
$("select").addEventListener("click", (event) => {
  state.selects = !state.selects;
  event.currentTarget.setAttribute("aria-pressed", String(state.selects));
  stage.classList.toggle("selects", state.selects);
});

function startLasso(event) {
  if (!state.renderer || event.button !== 0 || !(state.selects || event.shiftKey)) return;
  event.preventDefault();
  event.stopPropagation();
  const box = stage.getBoundingClientRect();
  state.corner = { x: event.clientX - box.left, y: event.clientY - box.top, adds: event.shiftKey && state.selects };
  stage.setPointerCapture(event.pointerId);
  moveLasso(event);
}
function moveLasso(event) {
  if (!state.corner) return;
  event.stopPropagation();
  const box = stage.getBoundingClientRect();
  state.corner.toX = event.clientX - box.left;
  state.corner.toY = event.clientY - box.top;
  lasso.hidden = false;
  lasso.style.left = `${Math.min(state.corner.x, state.corner.toX)}px`;
  lasso.style.top = `${Math.min(state.corner.y, state.corner.toY)}px`;
  lasso.style.width = `${Math.abs(state.corner.toX - state.corner.x)}px`;
  lasso.style.height = `${Math.abs(state.corner.toY - state.corner.y)}px`;
}
function endLasso(event) {
  if (!state.corner) return;
  event.stopPropagation();
  const { x, y, toX, toY, adds } = state.corner;
  state.corner = null;
  lasso.hidden = true;
  if (Math.abs(toX - x) < 4 && Math.abs(toY - y) < 4) return;
  const inside = [];
  for (let node = 0; node < state.picture.nodes; node++) {
    if (state.shown && !state.shown[node]) continue;
    const at = state.renderer.graphToViewport({ x: state.picture.x[node], y: state.picture.y[node] });
    if (at.x >= Math.min(x, toX) && at.x <= Math.max(x, toX) && at.y >= Math.min(y, toY) && at.y <= Math.max(y, toY)) inside.push(node);
  }
  choose(inside, adds);
}
stage.addEventListener("pointerdown", startLasso, true);
stage.addEventListener("pointermove", moveLasso, true);
stage.addEventListener("pointerup", endLasso, true);
stage.addEventListener("mousedown", (event) => (state.selects || event.shiftKey) && event.stopPropagation(), true);
stage.addEventListener("touchstart", (event) => state.selects && event.stopPropagation(), true);
}

