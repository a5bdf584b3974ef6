// Wait until the server has laid out the graph, and read what it sends.
"use strict";

{
const { state, address, say, fetchJson, bar, ASK_S } = Workbench;

async function waitForPicture() {
  for (;;) {
    const job = await fetchJson("progress", {});
    if (job.state === "ready") return;
    if (job.state === "failed") throw new Error(job.error);
    bar.hidden = false;
    bar.value = job.share;
    const left = job.left_s === null ? "" : `, about ${Math.max(1, Math.round(job.left_s))} s left`;
    say(`${job.step[0].toUpperCase()}${job.step.slice(1)} …${left}`);
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
    // The page was made before the picture, so its controls do not know the marks and languages: have it made again.
    if ("unfinished" in document.getElementById("workbench").dataset) return void window.location.reload();
    const answer = await fetch(address("graph", {}));
    if (!answer.ok) throw new Error((await answer.json()).error);
    state.picture = decode(await answer.arrayBuffer());
  } catch (error) {
    bar.hidden = true;
    say(error.message);
    return;
  }
  bar.hidden = true;
  if (state.picture.nodes) Workbench.show();
  else say("There are no pages yet.");
  setTimeout(Workbench.askForNews, ASK_S * 1000);
}

Object.assign(Workbench, { decode, load });
}
