// Keeps the live page up to date: by events, or by asking every few seconds where events do not come. Needs morph.js.
// Without this script, the page reloads itself.
"use strict";

const head = document.getElementById("live-head");
const live = document.getElementById("live");
const state = document.getElementById("live-state");
const pause = document.getElementById("live-pause");
const curves = document.getElementById("curves");
const here = new URLSearchParams({ task: live.dataset.task, span: live.dataset.span });
const ASK_EVERY_MS = 3000;
const FIRST_MESSAGE_MS = 5000;
const ASKS_BEFORE_EVENTS = 20;
const CURVES_EVERY_MS = 10000;
let events = null;
let asking = 0;
let asked = 0;
let isPaused = false;

function say(text, isTrouble) {
  state.textContent = text;
  state.classList.toggle("wrong", Boolean(isTrouble));
}

const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19);

function show(message) {
  if (message.trouble) return say(`${message.trouble}.`, true);
  morph(head, parse(message.head));
  morph(live, parse(message.html));
  document.title = document.title.replace(/^(Stalled · )?/, head.querySelector(".stall") ? "Stalled · " : "");
  say(`${events ? "Live" : "Refreshed every 3 s"} · ${clock(message.point.when_s)} UTC`);
  addPoint(message.point);
}

async function ask() {
  clearTimeout(asking);
  if (isPaused || document.hidden) return;
  try {
    const answer = await fetch(`/console/live/part?${here}`);
    if (answer.redirected || answer.status === 401 || answer.status === 403) {
      say("You are logged out. Reload the page.", true);
      return;
    }
    const message = await answer.json();
    if (isPaused) return;
    show(message.error ? { trouble: message.error } : message);
  } catch {
    say("The server does not answer; trying again.", true);
  }
  clearTimeout(asking);
  asked += 1;
  if (!events) asking = setTimeout(asked % ASKS_BEFORE_EVENTS ? ask : follow, ASK_EVERY_MS);
}

function stop() {
  clearTimeout(asking);
  if (events) events.close();
  events = null;
}

function follow() {
  stop();
  if (isPaused || document.hidden) return;
  if (!window.EventSource) return ask();
  const source = new EventSource(`/console/events?${here}`);
  events = source;
  // A proxy may keep events back: then ask.
  const giveUp = () => {
    source.close();
    if (events === source) events = null;
    ask();
  };
  let waiting = setTimeout(giveUp, FIRST_MESSAGE_MS);
  source.onmessage = (event) => {
    clearTimeout(waiting);
    waiting = 0;
    if (events === source) show(JSON.parse(event.data));
  };
  // The browser connects again by itself, unless it was refused.
  source.onerror = () => {
    if (events !== source) return;
    if (source.readyState !== EventSource.CLOSED && !waiting) waiting = setTimeout(giveUp, FIRST_MESSAGE_MS);
    if (source.readyState === EventSource.CLOSED) {
      clearTimeout(waiting);
      giveUp();
    }
  };
}

// Curves

const SERIES = { pages: "--accent", bytes: "--accent", failed: "--wrong", waiting: "--link" };
const plots = {};
const columns = { when: [], pages: [], bytes: [], failed: [], waiting: [] };
let lastPoint = null;
let historyEnds = 0;

function shorten(value) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (Math.abs(value) >= size) return `${+(value / size).toPrecision(3)} ${unit}`;
  return String(+value.toPrecision(3));
}

// As UTC, like all times of the page.
function nameTime(seconds, step) {
  const time = new Date(seconds * 1000).toISOString();
  if (step >= 86400) return time.slice(5, 10);
  return step >= 60 ? time.slice(11, 16) : time.slice(11, 19);
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  for (const figure of curves.querySelectorAll("figure[data-curve]")) {
    const key = figure.dataset.curve;
    const place = figure.querySelector(".plot");
    const data = [columns.when, columns[key]];
    if (plots[key] && place.contains(plots[key].root)) {
      plots[key].setData(data);
    } else if (columns.when.length > 1) {
      const axis = { stroke: style.getPropertyValue("--soft"), grid: { stroke: style.getPropertyValue("--line"), width: 1 }, ticks: { show: false } };
      place.replaceChildren();
      place.classList.add("drawn");
      plots[key] = new uPlot(
        {
          width: place.clientWidth,
          height: 160,
          tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
          legend: { show: false },
          cursor: { y: false },
          scales: { y: { range: (_, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
          axes: [{ ...axis, space: 70, size: 30, values: (_, ticks, at, space, step) => ticks.map((tick) => nameTime(tick, step)) }, { ...axis, size: 54, values: (_, ticks) => ticks.map(shorten) }],
          series: [{}, { stroke: style.getPropertyValue(SERIES[key]), width: 2, points: { show: false } }],
        },
        data,
        place,
      );
    }
    const caption = figure.querySelector(".count");
    const values = columns[key];
    if (values.length) caption.textContent = `now ${shorten(values.at(-1))}, most ${shorten(Math.max(...values))}`;
  }
  const ends = curves.querySelector(".span-ends");
  if (ends && columns.when.length > 1) ends.hidden = true;
}

function addPoint(point) {
  if (!window.uPlot || !historyEnds) return;
  if (point.when_s > historyEnds + 0.5 && lastPoint && point.when_s > lastPoint.when_s) {
    const width = point.when_s - lastPoint.when_s;
    columns.when.push(point.when_s);
    columns.pages.push(point.pages);
    columns.bytes.push(point.bytes);
    columns.failed.push(Math.max(0, (60 * (point.failed_so_far - lastPoint.failed_so_far)) / width));
    columns.waiting.push(point.waiting);
    const span = Number(live.dataset.spanS);
    while (span && columns.when[0] < point.when_s - span) for (const column of Object.values(columns)) column.shift();
    draw();
  }
  lastPoint = point;
}

async function loadCurves() {
  if (isPaused || document.hidden) return;
  try {
    if (window.uPlot) {
      const answer = await fetch(`/api/console/history?${here}`);
      if (!answer.ok) return;
      const found = await answer.json();
      const widths = found.when_s.map((time, at) => (at ? time - found.when_s[at - 1] : found.when_s[1] - time));
      let count = widths.length;
      if (count > 1 && widths[count - 1] < widths[0] / 2) count -= 1;
      if (count < 2) return;
      const rate = (values, unit) => values.slice(0, count).map((value, at) => (unit * value) / Math.max(widths[at], 0.001));
      Object.assign(columns, {
        when: found.when_s.slice(0, count),
        pages: rate(found.pages, 1),
        bytes: rate(found.bytes, 1),
        failed: rate(found.failed, 60),
        waiting: found.waiting.slice(0, count),
      });
      historyEnds = columns.when.at(-1);
      if (!curves.querySelector("figure")) morph(curves, parse(await (await fetch(`/console/live/curves?${here}`)).text()));
      draw();
    } else {
      const answer = await fetch(`/console/live/curves?${here}`);
      if (answer.ok) morph(curves, parse(await answer.text()));
    }
  } catch {
    // The server does not answer: the curves stay as they are.
  }
}

function redraw() {
  for (const key of Object.keys(plots)) {
    plots[key].destroy();
    delete plots[key];
  }
  if (window.uPlot && columns.when.length) draw();
}

pause.hidden = false;
pause.addEventListener("click", () => {
  isPaused = !isPaused;
  pause.textContent = isPaused ? "Go on" : "Pause updates";
  if (isPaused) {
    stop();
    say("Paused");
  } else {
    follow();
    loadCurves();
  }
});
// A hidden page costs nothing, and keeps none of the few connections of a browser.
document.addEventListener("visibilitychange", () => {
  follow();
  loadCurves();
});
window.addEventListener("pagehide", stop);
window.addEventListener("pageshow", (event) => event.persisted && follow());
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
let resizing = 0;
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(redraw, 150);
});
loadCurves();
setInterval(loadCurves, CURVES_EVERY_MS);
follow();
