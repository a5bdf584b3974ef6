// The background of the extension: the only part that holds the token and talks to the server.

import { answerOwnPage, greetAgain } from "./answer_own_pages.js";
import { answerPage } from "./answer_pages.js";
import { browser } from "./browser.js";
import { refreshStatus } from "./features.js";
import { readToken } from "./server.js";
import { keepStorageFromPages } from "./settings.js";
import { stopTab } from "./stale_requests.js";

const OWN = browser.runtime.getURL("");

keepStorageFromPages();

browser.runtime.onMessage.addListener((given, sender, send) => {
  if (sender.id !== browser.runtime.id || typeof given?.ask !== "string") return false;
  const answer = sender.url?.startsWith(OWN) ? answerOwnPage(given, sender) : answerPage(given, sender);
  answer.then(send);
  return true; // the answer comes later
});

browser.storage.onChanged.addListener((changed) => {
  if (changed.settings) greetAgain();
});

browser.tabs.onRemoved.addListener(stopTab);

browser.runtime.onStartup.addListener(async () => {
  if (await readToken()) refreshStatus().catch(() => undefined);
});

browser.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") browser.runtime.openOptionsPage();
});
