"""A hundred attempts to put markup into cards and panel: every text that comes from the web becomes text, and nothing of it runs."""

import json
from typing import Any

import pytest
from tests.extension.closed_roots import wait_for
from tests.extension.conftest import OpenPage
from tests.extension.reading_browser import Browser

pytestmark = pytest.mark.slow
RUN = "globalThis.owned = true"
BREAKS = [
    "",
    '"',
    "'",
    '">',
    "'>",
    "</p>",
    "</dd></dl>",
    "</title>",
    "</textarea>",
    "<!--",
    "--><",
    "]]>",
    "\u2028",
    "\u202e",
    "\0",
    "&lt;",
    "{{",
    "${",
]
MARKUP = [
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'><a href='javascript:{RUN}'>x</a></svg>",
    f"<iframe srcdoc='<script>{RUN}</script>'></iframe>",
    f"<template shadowrootmode=open><script>{RUN}</script></template>",
    f"<a href='javascript:{RUN}' autofocus onfocus='{RUN}'>x</a>",
]
TEXTS = [f"{begin}{markup} haydn" for begin in BREAKS for markup in MARKUP]
# Each text stands in every field that the server sends; what is made of it may have these elements and attributes alone.
CARDS = """(texts) => {
  const wrong = [], tags = new Set("P SPAN DL DT DD CANVAS".split(" ")), names = new Set("class dir lang".split(" "));
  for (const text of texts) {
    const card = {url: text, known: true, title: text, sentences: [text, text], author: text, language: text, kind: text, modified: text, failure: text,
      redirects: [text], topics: [{name: text, score: "0.9"}], lines: [{plugin: text, text}], bytes: 1, words: 1, visits: 1, fetched_s: 1, depth: 1, rank: .5};
    const link = document.createElement("a"), box = document.createElement("div");
    link.href = "https://a.example/"; link.textContent = text;
    box.append(...composeCard(card, link, ["external"], text));
    document.body.append(box);
    for (const one of box.querySelectorAll("*")) if (!tags.has(one.tagName) || [...one.attributes].some(({name}) => !names.has(name))) wrong.push(one.outerHTML);
    if (!box.textContent.includes("haydn")) wrong.push("nothing is shown of " + text);
    box.remove();
  }
  return JSON.stringify({wrong, owned: globalThis.owned ?? false});
}"""
PANEL = """async (texts) => {
  const { make, makeLink, makeList } = await import("./elements.js"), { makeMap } = await import("./panel_map.js"), wrong = [];
  const tags = new Set("A P UL LI H3 SVG PATH CIRCLE MARK".split(" ")), names = new Set("class dir href rel viewBox aria-hidden d cx cy r".split(" "));
  for (const text of texts) {
    const pages = [{url: text, title: text}, {url: "https://a.example/" + encodeURIComponent(text), title: text}], box = make("div");
    box.append(makeList([[makeLink(text, text), make("p", text, {class: "site"})], [makeLink("", text), make("mark", text)]], "found"), ...makeMap({way: pages, before: pages, after: pages}));
    document.body.append(box);
    for (const one of box.querySelectorAll("*")) {
      if (!tags.has(one.tagName.toUpperCase()) || [...one.attributes].some(({name}) => !names.has(name))) wrong.push(one.outerHTML);
      if (one.href && typeof one.href === "string" && !one.href.startsWith("https://a.example/")) wrong.push(one.href);
    }
    box.remove();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  return JSON.stringify({wrong, owned: globalThis.owned ?? false});
}"""
CLEAN = {"wrong": [], "owned": False}


def test_there_are_more_than_a_hundred_attempts() -> None:
    assert len(set(TEXTS)) > 100


def test_cards_show_every_text_as_text(open_page: OpenPage, browser: Browser) -> None:
    page = open_page("/haydn")
    session = page.context.new_cdp_session(page)
    worlds = _list_worlds(session, browser)
    asked = {"expression": f"({CARDS})({json.dumps(TEXTS)})", "contextId": worlds[0]}
    assert json.loads(session.send("Runtime.evaluate", asked)["result"]["value"]) == CLEAN
    assert page.evaluate("globalThis.owned ?? false") is False


def test_the_panel_shows_every_text_as_text(browser: Browser) -> None:
    panel = browser.open_own("panel.html")
    assert json.loads(panel.evaluate(PANEL, TEXTS)) == CLEAN
    panel.close()


def _list_worlds(session: Any, browser: Browser) -> list[int]:
    """Return the contexts in which scripts of the extension run beside the page."""
    worlds: list[int] = []

    def note(event: Any) -> None:
        if event["context"]["origin"] == browser.origin:
            worlds.append(event["context"]["id"])

    session.on("Runtime.executionContextCreated", note)
    session.send("Runtime.enable")
    wait_for(lambda: worlds)
    return worlds
