// Elements of the page, what is shown at this moment, and small steps that all parts of the workbench use.
// Each file of the workbench adds its functions to `Workbench`, so that the others can call them.
"use strict";

const Workbench = {};
{
const ASK_S = 4; // how often to ask for what is new

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
const opened = new Map(); // hosts that are opened into their pages

const state = {
  picture: null, // what the server sent, as typed arrays
  graph: null,
  renderer: null,
  byRank: [], // nodes from the best to the worst
  current: -1, // the node that the keyboard is at
  selection: new Set(),
  shown: null, // a byte for each node, or null if no filter is set
  selects: false,
  corner: null, // where a rectangle of selection begins
};

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

function debounce(run, wait) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
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

Object.assign(Workbench, { state, $, address, count, ink, say, fetchJson, debounce, line, small, bench, controls, stage, statusLine, bar, panel, selectionForm, lasso, legend, dark, which, opened, ASK_S });

// For measurements and tests.
window.workbench = { camera: () => state.renderer.getCamera(), graph: () => state.graph, renderer: () => state.renderer, picture: () => state.picture };
}
