// The options: pairing, when cards are shown, which marks, and where nothing is.

import { ask, browser } from "./ask.js";
import { find, make, nameCollection, tell } from "./elements.js";

const ASK_EVERY_MS = 1000;
const MARKS = [
  ["dead", "×", "gone", "their last visit found nothing"],
  ["moved", "↪", "moved", "they lead to another address"],
  ["large", "MB", "large", "more than five megabytes"],
  ["language", "de", "in another language", "than the page you read"],
  ["relevant", "★", "relevant", "to a topic of your collection"],
  ["known", "•", "in your collection", "so their card has more to say"],
  ["external", "↗", "to other sites", "many, on most pages"],
  ["read", "✓", "read", "by you"],
  ["changed", "±", "changed", "since you read them"],
];
const OF_HISTORY = ["read", "changed"];
const FLAGS = ["onHover", "onFocus", "passwords", "previews", "history", "historyPaused"];
const LISTS = ["offSites", "pausedSites"];

async function show() {
  const { settings, paired } = await ask("settings");
  for (const name of FLAGS) find(name).checked = settings[name];
  for (const name of ["hoverMs", "key", "server"]) if (document.activeElement !== find(name)) find(name).value = settings[name];
  for (const name of LISTS) if (document.activeElement !== find(name)) find(name).value = settings[name].join("\n");
  for (const name of ["historyPaused", "pausedSites"]) find(`${name}-row`).hidden = !settings.history;
  for (const [name] of MARKS) find(`mark-${name}`).checked = settings.marks[name];
  find("unpair").hidden = !paired;
  await showState(paired);
}

async function showState(paired) {
  if (!paired) {
    find("pair").hidden = false;
    return tell(find("state"), "Not paired yet. Start “gossamer serve” on this machine, then pair this browser.");
  }
  const status = await ask("status");
  const features = status.features ?? [];
  find("pair").hidden = !status.error || status.kind === "absent";
  find("previews-row").hidden = !features.includes("previews");
  find("history-section").hidden = !features.includes("history");
  for (const name of OF_HISTORY) find(`mark-${name}`).closest("label").hidden = !features.includes("history");
  const said = status.error ?? `Paired with Gossamer ${status.program}: ${nameCollection(status)}.`;
  return tell(find("state"), said);
}

async function change(settings, field) {
  const { error } = await ask("change", { settings });
  field?.setAttribute("aria-invalid", String(Boolean(error)));
  tell(find("said"), error ?? "Saved.", error ? "wrong" : "");
  if (!error) await show();
}

// One click: ask for a code, show it beside the page that shows the same, and wait until a person has agreed there.
async function pair() {
  find("pair").disabled = true;
  tell(find("said"), "");
  const begun = await ask("pair");
  if (begun.error) return endPairing(begun.error);
  find("code").textContent = begun.code;
  find("approve").href = begun.page;
  find("pairing").hidden = false;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const found = await ask("collect");
    if (found.error) return endPairing(found.error);
    if (found.paired) return endPairing("", `${found.name} is paired. Load pages that are open again, and rest the pointer on a link.`);
  }
}

async function endPairing(wrong, right = "") {
  find("pairing").hidden = true;
  find("pair").disabled = false;
  tell(find("said"), wrong || right, wrong ? "wrong" : "");
  if (!wrong) await show();
}

async function unpair() {
  await ask("unpair");
  tell(find("said"), "The token is forgotten here. The page /pair of the server takes it from this browser for good.");
  await show();
}

function makeMark([name, glyph, words, more]) {
  const label = make("label", "", { class: "tick" });
  const text = make("span", words);
  text.append(make("small", more));
  label.append(make("input", "", { type: "checkbox", id: `mark-${name}` }), make("span", glyph, { class: "glyph", "aria-hidden": "true" }), text);
  label.hidden = OF_HISTORY.includes(name);
  return label;
}

find("marks").append(...MARKS.map(makeMark));
for (const name of FLAGS) find(name).addEventListener("change", ({ target }) => change({ [name]: target.checked }));
for (const name of ["hoverMs", "key", "server"]) find(name).addEventListener("change", ({ target }) => change({ [name]: target.value }, target));
for (const name of LISTS) find(name).addEventListener("change", ({ target }) => change({ [name]: target.value.split("\n") }));
find("marks").addEventListener("change", () => change({ marks: Object.fromEntries(MARKS.map(([name]) => [name, find(`mark-${name}`).checked])) }));
find("pair").addEventListener("click", pair);
find("unpair").addEventListener("click", unpair);
browser.storage.onChanged.addListener((changed) => changed.settings && show());
show().then(() => location.hash === "#pair" && pair());
