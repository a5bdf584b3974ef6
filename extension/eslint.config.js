// What is checked in the extension: names that are not defined, values that are never used, and ways to put markup into pages.

const browserGlobals = Object.fromEntries(
  `AbortController AbortSignal Blob CSSStyleSheet DOMException Element Event FormData HTMLElement IntersectionObserver Intl MutationObserver
  ResizeObserver URL URLSearchParams addEventListener atob btoa chrome clearTimeout close console createImageBitmap document fetch getComputedStyle getSelection
  innerHeight location navigator requestAnimationFrame requestIdleCallback scrollX scrollY setTimeout window`
    .split(/\s+/)
    .map((name) => [name, "readonly"]),
);
const rules = {
  "no-undef": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  eqeqeq: "error",
  "prefer-const": "error",
  "no-var": "error",
  "no-restricted-properties": [
    "error",
    ...["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "srcdoc"].map((property) => ({ property, message: "Text from the web becomes text: use textContent." })),
  ],
};
// The files of content/ are loaded into one scope, in the order of the manifest.
const shared = Object.fromEntries(
  `extension askBackground makeClosedRoot addStyle makeText MARK_WORDS findTarget describeAction decode cut listStates listFacts nameLanguage shorten
  CARD_CSS MARK_CSS Card composeCard makePicture Triggers Marks MarkLayer Visit copyPage dropFragment hasPassword collectLinks IDLE_MS`
    .split(/\s+/)
    .map((name) => [name, "writable"]),
);

export default [
  { files: ["background/*.js", "pages/*.js"], languageOptions: { sourceType: "module", ecmaVersion: 2024, globals: browserGlobals }, rules },
  {
    files: ["content/*.js"],
    languageOptions: { sourceType: "script", ecmaVersion: 2024, globals: { ...browserGlobals, ...shared } },
    rules: { ...rules, "no-unused-vars": ["error", { vars: "local", argsIgnorePattern: "^_" }] },
  },
];
