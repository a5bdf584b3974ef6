// The layer on which marks are drawn: one drawing over the page, with the same few elements for each colour, since every element
// more would cost the page a layout and a paint. Signs are lines: to look for them in fonts takes longer than to draw them.
// What the marks say stands beside the drawing, a line each, for readers of screens.
"use strict";

const APART = 3; // pixels between two marks of a link
const RAISED = 5;
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
const TONES = { dead: "bad", relevant: "good", changed: "good" };

class MarkLayer {
  constructor() {
    this.drawn = new Map(); // tone -> its path and text
  }

  remove() {
    this.root?.host.remove();
  }

  // Draw marks: each has its name, its letters if it has no sign, the link's end, and its place among the marks of this link.
  draw(marks, lines) {
    const origin = this.findOrigin();
    const tones = new Map([...this.drawn.keys()].map((tone) => [tone, makeStrokes()]));
    let left = 0;
    for (const { name, letters, end, at } of marks) {
      if (!at) left = Math.round(end.right - origin.left - 1);
      const tone = TONES[name] ?? "mild";
      if (!tones.has(tone)) tones.set(tone, makeStrokes());
      left += APART + addMark(tones.get(tone), name, letters, left, Math.round(end.top - origin.top - RAISED));
    }
    const box = this.open();
    for (const [tone, strokes] of tones) this.drawTone(tone, strokes);
    const said = lines.join("\n");
    if (this.said !== said) box.lastChild.textContent = this.said = said;
    if (!this.root.host.isConnected) document.documentElement.append(this.root.host);
  }

  drawTone(tone, { boxes, signs, letters, x, y }) {
    const known = this.drawn.get(tone) ?? { elements: {} };
    this.drawn.set(tone, known);
    const key = [boxes, signs, letters].map((one) => one.join("")).join();
    if (known.key === key) return;
    known.key = key;
    this.setShape(known.elements, "path", `box ${tone}`, { d: boxes.join("") });
    this.setShape(known.elements, "path", `sign ${tone}`, { d: signs.join("") });
    const text = this.setShape(known.elements, "text", tone, { x: x.join(" "), y: y.join(" ") });
    if (text) text.textContent = letters.join("");
  }

  // Change an element of the drawing, which is made when there is something to draw.
  setShape(elements, tag, className, values) {
    if (!elements[className] && !Object.values(values).some(Boolean)) return null;
    if (!elements[className]) this.svg.append((elements[className] = makeShape(tag, className)));
    for (const [name, value] of Object.entries(values)) elements[className].setAttribute(name, value);
    return elements[className];
  }

  open() {
    if (!this.root) {
      this.root = makeClosedRoot(MARK_CSS);
      this.box = makeText("div", "", "layer");
      this.box.role = "group";
      this.box.ariaLabel = "Marks on links";
      this.svg = makeShape("svg", "");
      this.svg.ariaHidden = "true";
      this.box.append(this.svg, makeText("div", "", "names"));
      this.root.root.append(this.box);
    }
    return this.box;
  }

  // Where the layer begins; without another layout of the page if it is not there yet.
  findOrigin() {
    const isAtTop = !this.root?.host.isConnected && getComputedStyle(document.documentElement).position === "static";
    if (isAtTop) return { left: -scrollX, top: -scrollY };
    this.open();
    if (!this.root.host.isConnected) document.documentElement.append(this.root.host);
    return this.root.host.getBoundingClientRect();
  }
}

function makeStrokes() {
  return { boxes: [], signs: [], letters: [], x: [], y: [] };
}

function makeShape(tag, className) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  if (className) element.setAttribute("class", className);
  return element;
}

// Add a rounded box, and in it a sign, or letters with a place of their own each; return its width.
function addMark({ boxes, signs, letters, x, y }, name, word, left, top) {
  const sign = SIGNS[name];
  const characters = sign ? [] : [...word];
  const inner = Math.max(HEIGHT, 4 + characters.length * LETTER) - 2 * CORNER;
  const corner = (to) => `a${CORNER} ${CORNER} 0 0 1 ${to}`;
  boxes.push(`M${left + CORNER} ${top + 0.5}h${inner}${corner("4 4")}v2${corner("-4 4")}h${-inner}${corner("-4 -4")}v-2${corner("4 -4")}z`);
  if (sign) signs.push(`M${left + HEIGHT / 2} ${top + HEIGHT / 2}${sign}`);
  const first = left + CORNER + inner / 2 - ((characters.length - 1) * LETTER) / 2;
  characters.forEach((one, at) => {
    letters.push(one);
    x.push(first + at * LETTER);
    y.push(top + 8.7);
  });
  return inner + 2 * CORNER;
}
