// Buttons and keys that move the picture, and the picture as a file.
"use strict";

{
const { state, $, ink, say, stage } = Workbench;

const zoom = (factor) => {
  const camera = state.renderer.getCamera();
  camera.animate({ ratio: camera.ratio * factor }, { duration: 150 });
};
$("zoom-in").addEventListener("click", () => zoom(1 / 1.6));
$("zoom-out").addEventListener("click", () => zoom(1.6));
$("fit").addEventListener("click", () => state.renderer.getCamera().animatedReset({ duration: 200 }));
$("png").addEventListener("click", savePng);

function savePng() {
  state.renderer.refresh({ schedule: false });
  const { width, height } = state.renderer.getDimensions();
  const ratio = window.devicePixelRatio || 1;
  const paper = document.createElement("canvas");
  paper.width = width * ratio;
  paper.height = height * ratio;
  const context = paper.getContext("2d");
  context.fillStyle = ink("--paper");
  context.fillRect(0, 0, paper.width, paper.height);
  const canvases = state.renderer.getCanvases();
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
  if (!state.byRank.length) return;
  for (let tries = 0; tries < state.byRank.length; tries++) {
    state.current = (state.current + by + state.byRank.length) % state.byRank.length;
    if (!state.shown || state.shown[state.byRank[state.current]]) break;
  }
  const key = String(state.byRank[state.current]);
  Workbench.goTo(key);
  say(state.graph.getNodeAttribute(key, "label") || `Node ${key}`);
}

stage.addEventListener("keydown", (event) => {
  if (!state.renderer || event.ctrlKey || event.metaKey || event.altKey) return;
  const camera = state.renderer.getCamera();
  const by = 0.15 * camera.ratio;
  const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] };
  if (moves[event.key]) camera.setState({ x: camera.x + moves[event.key][0], y: camera.y + moves[event.key][1] });
  else if (event.key === "+" || event.key === "=") zoom(1 / 1.4);
  else if (event.key === "-") zoom(1.4);
  else if (event.key === "0") camera.animatedReset({ duration: 200 });
  else if (event.key.toLowerCase() === "n") step(1);
  else if (event.key.toLowerCase() === "p") step(-1);
  else if (event.key === "Enter") Workbench.openNode(String(state.byRank[Math.max(state.current, 0)]));
  else if (event.key === "Escape") Workbench.closePanel();
  else return;
  event.preventDefault();
});
}

