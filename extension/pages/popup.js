// The window of the button: on and off, and the way to backlinks and options.

import { ask, browser } from "./ask.js";
import { find, nameCollection, tell } from "./elements.js";

const fixedTab = Number(new URLSearchParams(location.search).get("tab")) || 0; // for a window that is opened as a page
let settings = {};
let page = { tab: -1, url: "", site: "", off: false };

async function show() {
  const [{ settings: chosen, paired }, found] = await Promise.all([ask("settings"), ask("page", { tab: fixedTab })]);
  [settings, page] = [chosen, found];
  find("switches").hidden = find("backlinks").hidden = !paired;
  find("pair").hidden = paired;
  find("on").checked = settings.on;
  find("site-row").hidden = !page.site || page.own;
  find("site-on").checked = !page.off;
  find("site-name").textContent = `On ${page.site}`;
  if (!paired) return tell(find("state"), "This browser is not paired with a Gossamer on this machine yet.");
  const status = await ask("status");
  tell(find("trouble"), status.error ?? "", "wrong");
  tell(find("state"), status.error ? "" : nameCollection(status));
  if (status.kind === "unpaired") find("pair").hidden = false;
  const { features = [] } = status;
  find("save").hidden = !features.includes("saves") || !page.url || page.own;
  showHistory(features.includes("history") && settings.history);
  return undefined;
}

function showHistory(isOn) {
  find("history-row").hidden = !isOn;
  find("history-site-row").hidden = !isOn || settings.historyPaused || !page.site || page.own || page.off;
  find("history-on").checked = !settings.historyPaused;
  find("history-site-on").checked = !page.paused;
  find("history-site-name").textContent = `Keep what I read on ${page.site}`;
}

async function changeSettings(change) {
  const changed = await ask("change", { settings: change });
  tell(find("trouble"), changed.error ?? "", "wrong");
  settings = changed.settings ?? settings;
}

// The sites of a list without this one, or with it.
function listSites(sites, isListed) {
  const others = sites.filter((one) => page.site !== one && !page.site.endsWith(`.${one}`));
  return isListed ? [...others, page.site] : others;
}

async function save() {
  find("save").disabled = true;
  tell(find("saved"), "Saving …");
  const { said, error } = await ask("save", { tab: page.tab });
  tell(find("saved"), error ?? said, error ? "wrong" : "");
  find("save").disabled = false;
}

// The panel of the browser opens only while a click is handled, so nothing may be waited for before.
function openPanel() {
  const inTab = () => browser.tabs.create({ url: browser.runtime.getURL(`pages/panel.html?tab=${page.tab}`) });
  const opened = browser.sidebarAction ? browser.sidebarAction.open() : browser.sidePanel ? browser.sidePanel.open({ tabId: page.tab }) : inTab();
  opened.catch(inTab).then(() => close());
}

find("on").addEventListener("change", ({ target }) => changeSettings({ on: target.checked }));
find("site-on").addEventListener("change", ({ target }) => changeSettings({ offSites: listSites(settings.offSites, !target.checked) }));
find("history-on").addEventListener("change", async ({ target }) => {
  await changeSettings({ historyPaused: !target.checked });
  showHistory(true);
});
find("history-site-on").addEventListener("change", ({ target }) => changeSettings({ pausedSites: listSites(settings.pausedSites, !target.checked) }));
find("save").addEventListener("click", save);
find("backlinks").addEventListener("click", openPanel);
find("options").addEventListener("click", () => browser.runtime.openOptionsPage().then(() => close()));
find("pair").addEventListener("click", () => browser.tabs.create({ url: browser.runtime.getURL("pages/options.html#pair") }).then(() => close()));
show();
