// The layer on which marks are drawn: one drawing over the page with one path for each colour, since every element more would cost the
// page a layout and a paint. Signs are lines: to look for them in fonts takes longer than to draw them.
// What the marks say stands beside the drawing, a line each, for readers of screens.
"use strict";

const APART = 3; // pixels between two marks of a link
const RAISED = 5;
const OFFSET = 1; // the drawing begins a pixel beyond the corner of the page, so that the page cannot measure it
const [HEIGHT, CORNER, LETTER] = [11, 4, 6.5];
// From the middle of a mark.
const SIGNS = {
  dead: "m-2.5-2.5l5 5m0-5l-5 5",
  moved: "m-3-2.5v2a2 2 0 0 0 2 2h4m-2-2l2 2l-2 2",
  external: "m-2.5 2.5l5-5m-3.5 0h3.5v3.5",
  known: "m-.8 0a.8 .8 0 1 0 1.6 0a.8 .8 0 1 0-1.6 0",
  read: "m-3 .3l2 2.2l4-5",
  changed: "m-2.5-1h5m-2.5-2.5v5m-2.5 1.5h5",
  relevant: "m0-3.6l.9 2.4l2.5.1l-2 1.6l.7 2.4l-2.1-1.4l-2.1 1.4l.7-2.4l-2-1.6l2.5-.1z",
};
const TONES_FIRST = ["mild", "bad"];
const TONES = { dead: "bad", relevant: "good", changed: "good" };

class MarkLayer {
  constructor() {
    this.drawn = new Map(); // tone -> what its path and its text show
    this.shapes = {};
  }

  // Put the empty layer on the page: what is drawn later changes nothing but what is inside it, and lays out nothing of the page.
  open() {
    if (!this.root) {
      this.root = makeClosedRoot(MARK_CSS);
      this.svg = makeShape("svg", "");
      this.svg.ariaHidden = "true";
      for (const tone of TONES_FIRST) this.findShape("path", tone);
      this.names = makeText("div", "", "names");
      this.names.role = "group";
      this.names.ariaLabel = "Marks on links";
      this.root.root.append(this.svg, this.names);
    }
    if (!this.root.host.isConnected) document.documentElement.append(this.root.host);
  }

  get isDrawn() {
    return this.drawn.size > 0;
  }

  // Take the layer from the page; what was drawn is gone.
  remove() {
    this.root?.host.remove();
    this.root = null;
    this.shapes = {};
    this.said = "";
    this.drawn.clear();
  }

  // Draw marks: each has its name, its letters if it has no sign, the link's end, and its place among the marks of this link.
  draw(marks, lines) {
    this.open();
    const origin = this.root.host.getBoundingClientRect();
    const tones = new Map([...this.drawn.keys()].map((tone) => [tone, makeStrokes()]));
    let left = 0;
    for (const { name, letters, end, at } of marks) {
      if (!at) left = Math.round(end.right - origin.left - 1) + OFFSET;
      const tone = TONES[name] ?? "mild";
      if (!tones.has(tone)) tones.set(tone, makeStrokes());
      left += APART + addMark(tones.get(tone), name, letters, left, Math.round(end.top - origin.top - RAISED) + OFFSET);
    }
    for (const [tone, strokes] of tones) this.drawTone(tone, strokes);
    const said = lines.join("\n");
    if (this.said !== said) this.names.textContent = this.said = said;
  }

  // Boxes and signs of a tone are one path: a sign has the colour of its box inside.
  drawTone(tone, { strokes, letters, x, y }) {
    const shape = strokes.join("");
    const key = `${shape}${letters.join("")}`;
    if (this.drawn.get(tone) === key) return;
    this.drawn.set(tone, key);
    this.findShape("path", tone).setAttribute("d", shape);
    if (!letters.length && !this.shapes[`text ${tone}`]) return;
    const text = this.findShape("text", tone);
    text.setAttribute("x", x.join(" "));
    text.setAttribute("y", y.join(" "));
    text.textContent = letters.join("");
  }

  findShape(tag, tone) {
    const name = `${tag} ${tone}`;
    if (!this.shapes[name]) {
      this.shapes[name] = makeShape(tag, tone);
      if (tag === "path") this.svg.prepend(this.shapes[name]);
      else this.svg.append(this.shapes[name]);
    }
    return this.shapes[name];
  }
}

function makeStrokes() {
  return { strokes: [], letters: [], x: [], y: [] };
}

function makeShape(tag, className) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (className) element.setAttribute("class", className);
  return element;
}

// Add a rounded box, and in it a sign, or letters with a place of their own each; return its width.
function addMark({ strokes, letters, x, y }, name, word, left, top) {
  const sign = SIGNS[name];
  const characters = sign ? [] : [...word];
  const inner = Math.max(HEIGHT, 4 + characters.length * LETTER) - 2 * CORNER;
  const corner = (to) => `a${CORNER} ${CORNER} 0 0 1 ${to}`;
  strokes.push(`M${left + CORNER} ${top + 0.5}h${inner}${corner("4 4")}v2${corner("-4 4")}h${-inner}${corner("-4 -4")}v-2${corner("4 -4")}z`);
  if (sign) strokes.push(`M${left + HEIGHT / 2} ${top + HEIGHT / 2}${sign}`);
  const first = left + CORNER + inner / 2 - ((characters.length - 1) * LETTER) / 2;
  characters.forEach((one, at) => {
    letters.push(one);
    x.push(first + at * LETTER);
    y.push(top + 8.7);
  });
  return inner + 2 * CORNER;
}
