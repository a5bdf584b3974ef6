// Say what the colours mean.
"use strict";

{
const { count, legend } = Workbench;

function drawLegend() {
  legend.replaceChildren();
  const column = Workbench.colourColumn();
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

Object.assign(Workbench, { drawLegend });
}
