// The looks of cards and marks: the colours are those of the pages of Gossamer. Sizes are in pixels, since rem is the page's.
"use strict";

const COLOURS = `
:host { --paper: #ffffff; --ink: #1b2421; --soft: #5a6763; --line: #d9e0dd; --tint: #f2f6f4; --accent: #1f6b5a; --wrong: #a3271f; color-scheme: light; }
@media (prefers-color-scheme: dark) {
  :host { --paper: #1d2623; --ink: #e4ebe8; --soft: #a3b1ac; --line: #3d4b46; --tint: #28332f; --accent: #6fc3ad; --wrong: #ff9d94; color-scheme: dark; }
}
* { box-sizing: border-box; margin: 0; padding: 0; }
`;
const FONT = `system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
const CARD_CSS = `
:host { all: initial !important; position: fixed !important; inset: 0 auto auto 0 !important; width: 0 !important; height: 0 !important; overflow: visible !important;
  border: 0 !important; pointer-events: none !important; z-index: 2147483647 !important; }
${COLOURS}
.card { position: fixed; width: min(360px, calc(100vw - 16px)); overflow: hidden; background: var(--paper); color: var(--ink); border: 1px solid var(--line); border-radius: 10px;
  box-shadow: 0 1px 3px rgb(0 0 0 / .12), 0 8px 28px rgb(0 0 0 / .2); padding: 12px 14px; font: 14px/1.45 ${FONT}; overflow-wrap: anywhere; text-align: start; }
.card > * + * { margin-top: 6px; }
.title { font-size: 15px; font-weight: 600; line-height: 1.3; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.where { color: var(--soft); font-size: 12px; line-height: 1.35; margin-top: 2px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.text { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; overflow: hidden; }
.states { display: flex; flex-wrap: wrap; gap: 4px; }
.states span { font-size: 12px; line-height: 18px; padding: 0 8px; border-radius: 9px; background: var(--tint); border: 1px solid var(--line); }
.states .bad { color: var(--wrong); border-color: var(--wrong); }
.states .good { color: var(--accent); border-color: var(--accent); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 12px; font-size: 12px; border-top: 1px solid var(--line); padding-top: 8px; margin-top: 8px; }
.facts dt { color: var(--soft); }
.facts dd { font-variant-numeric: tabular-nums; }
.note, .does { color: var(--soft); font-size: 12px; }
.picture { display: block; width: 100%; max-height: 140px; object-fit: cover; object-position: top; border-radius: 6px; border: 1px solid var(--line); }
@media (forced-colors: active) { .card { border-color: CanvasText; } }
@media print { .card { display: none; } }
`;
const MARK_CSS = `
:host { all: initial !important; position: absolute !important; top: 0 !important; left: 0 !important; width: 0 !important; height: 0 !important;
  contain: size layout style !important; pointer-events: none !important; z-index: 2147483646 !important; color-scheme: light dark !important; }
svg { position: absolute; top: -1px; left: -1px; width: 1px; height: 1px; overflow: visible; font: 600 9px ${FONT}; text-anchor: middle; stroke-linecap: round; stroke-linejoin: round; }
path { fill: light-dark(#ffffff, #1d2623); stroke-width: 1.2px; }
.mild { stroke: light-dark(#5a6763, #a3b1ac); }
.bad { stroke: light-dark(#a3271f, #ff9d94); }
.good { stroke: light-dark(#1f6b5a, #6fc3ad); }
text { fill: light-dark(#5a6763, #a3b1ac); stroke: none; }
.names { position: absolute; top: -1px; left: -1px; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: pre; contain: strict; }
@media (forced-colors: active) { path { fill: Canvas; stroke: CanvasText; } text { fill: CanvasText; } }
@media print { :host { display: none !important; } }
`;
