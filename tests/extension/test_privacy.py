"""What a hostile page can learn, and whom the extension asks: nothing, and the server on this machine alone."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.extension.closed_roots import read_cards, read_marks, wait_for
from tests.extension.music_world import UNKNOWN
from tests.extension.reading_browser import Collection, open_browser

pytestmark = pytest.mark.slow
# What a script of a page tries, in turn; each gives what it has learnt, or "".
ATTACKS = """async ([server, origin]) => {
  const learnt = [], tries = {
    roots: () => seen.roots.length,
    shadow: () => [...document.querySelectorAll("*")].filter((one) => one.shadowRoot).length,
    text: () => seen.nodes.filter((one) => one.nodeType === 1 && !one.closest("head, body") && one.textContent).length,
    attributes: () => seen.nodes.filter((one) => one.nodeType === 1 && !one.closest("head, body"))
      .flatMap((one) => [...one.attributes]).filter((one) => /haydn|collection|token|gone/i.test(one.value)).length,
    messages: () => seen.messages.length,
    storage: () => globalThis.chrome?.storage ? "storage" : "",
    runtime: async () => globalThis.chrome?.runtime?.sendMessage ? await chrome.runtime.sendMessage(origin.split("//")[1], {ask: "settings"}) : "",
    resource: async () => (await fetch(`${origin}/background/server.js`)).status,
    frame: () => new Promise((resolve) => { const frame = document.createElement("iframe"); frame.src = `${origin}/pages/panel.html`;
      frame.onload = () => { try { resolve(frame.contentDocument.body.innerText); } catch { resolve(""); } }; document.body.append(frame); setTimeout(() => resolve(""), 2000); }),
    card: async () => (await fetch(`${server}/api/navigate/card?url=x`)).status,
    blind: async () => { const answer = await fetch(`${server}/api/navigate/marks`, {method: "POST", mode: "no-cors", body: "{}"}); return answer.type === "opaque" ? "" : answer.status; },
    globals: () => Object.keys(globalThis).filter((name) => /gossamer|reader|Card|Marks/.test(name)).join(),
    under: () => { for (let x = 0; x < innerWidth; x += 7) for (let y = 0; y < innerHeight; y += 5) {
      const found = document.elementFromPoint(x, y); if (found && found !== document.documentElement && !document.body.contains(found)) return `${x}, ${y}`; } return ""; },
    size: () => [...document.documentElement.children].filter((one) => !/^(HEAD|BODY)$/.test(one.tagName))
      .map((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height, one.scrollHeight, one.scrollWidth].join(" "))
      .filter((sizes) => sizes !== "0 0 0 0").join(", "),
  };
  for (const [name, attempt] of Object.entries(tries)) {
    let found = "";
    try { found = await attempt(); } catch (error) { found = ""; }
    if (found) learnt.push(`${name}: ${JSON.stringify(found)}`);
  }
  return learnt;
}"""


def test_a_hostile_page_learns_nothing_while_cards_and_marks_are_shown(
    tmp_path: Path, server: Collection
) -> None:
    with open_browser(tmp_path) as browser:
        browser.pair(server.address)
        page = browser.open(server.url("/attacker"))
        wait_for(lambda: read_marks(page))
        page.hover("#haydn")
        wait_for(lambda: read_cards(page), lambda text: "Joseph Haydn" in text)
        assert page.evaluate(ATTACKS, [server.address, browser.origin]) == []
        assert "Joseph Haydn" in read_cards(page)


def test_the_storage_with_the_token_is_closed_to_content_scripts(tmp_path: Path, server: Collection) -> None:
    with open_browser(tmp_path) as browser:
        browser.pair(server.address)
        page = browser.open(server.start)
        session = page.context.new_cdp_session(page)
        worlds: list[int] = []
        session.on(
            "Runtime.executionContextCreated",
            lambda event: (
                worlds.append(event["context"]["id"])
                if event["context"]["origin"] == browser.origin
                else None
            ),
        )
        session.send("Runtime.enable")
        wait_for(lambda: (page.wait_for_timeout(50), worlds)[1])
        script = "chrome.storage.local.get(null).then((found) => JSON.stringify(found), (error) => `refused: ${error.message}`)"
        asked = {"expression": script, "contextId": worlds[0], "awaitPromise": True}
        found = session.send("Runtime.evaluate", asked)["result"]["value"]
        assert found.startswith("refused: ")
        token = browser.worker.evaluate("async () => (await chrome.storage.local.get('token')).token")
        assert len(token) > 20
        assert token not in page.content()


def test_no_other_host_is_asked(tmp_path: Path, server: Collection) -> None:
    before = server.lab.log.entries(UNKNOWN)
    with open_browser(tmp_path) as browser:
        browser.pair(server.address)
        page = browser.open(server.start)
        wait_for(lambda: read_marks(page))
        for name in ("haydn", "unknown", "gone"):
            page.hover(f"#{name}")
            page.wait_for_timeout(800)
        panel = browser.open_own("panel.html")
        panel.wait_for_timeout(500)
        origin = browser.origin
    asked = _list_requests(tmp_path / "net-log.json", origin)
    assert {f"{urlsplit(url).scheme}://{urlsplit(url).netloc}" for url in asked} == {server.address}
    assert {urlsplit(url).path.rpartition("/")[2] for url in asked} >= {"card", "marks", "status", "collect"}
    assert server.lab.log.entries(UNKNOWN) == before


def _list_requests(net_log: Path, origin: str) -> list[str]:
    """Return the addresses that the extension asked for over a network, by the network log of Chromium."""
    log = json.loads(net_log.read_text())
    types = {number: name for name, number in log["constants"]["logEventTypes"].items()}
    found = []
    for event in log["events"]:
        asked = event.get("params", {})
        if types[event["type"]] == "URL_REQUEST_START_JOB" and asked.get("initiator") == origin:
            found.append(asked["url"])
    return [url for url in found if url.startswith("http")]
