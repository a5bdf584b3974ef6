"""Look at every page of `gossamer serve`: list faults that a program can see, and write sheets of pictures for people.

Webs of five kinds are made with the lab: empty, small, large, failing and stalled. Each is served, and each page of the tables of
routes is opened at three widths, light and dark. A line is printed for each fault; sheets are written to a folder, one
for each web, width and colour.

    python bench/look_at_pages.py FOLDER [--webs small stalled] [--widths 360] [--no-pictures] [--only /console]

It needs chromium, playwright, axe-playwright-python and Pillow. Every page takes about a second for each width and colour.
"""

import argparse
import importlib
import io
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.browser.page_faults import find_faults
from tests.browser.pictures import open_browser

from gossamer.context.words.web_words import refresh_words
from gossamer.reports.report_kinds import KINDS
from gossamer.ui.route_tables import ROUTES
from gossamer.web import Web
from serve_load import run_child

WIDTHS, SCHEMES = (360, 768, 1440), ("light", "dark")
MOST_HEIGHT, COLUMNS_WIDE, GAP = 1800, 2400, 12
CLI = ("-m", "gossamer.cli.main")
PATIENCE_S = 180.0
IS_SETTLED = (
    "() => !document.querySelector('#workbench[data-unfinished]') || document.querySelector('main .wrong')"
)
"""The page of a graph that is laid out is loaded once more when it is ready."""
_FILES = (".json", ".csv", ".svg", ".atom", ".js")
_NO_PAGES = (
    *(
        "/api/",
        "/mcp",
        "/metrics",
        "/suggest",
        "/cached/page",
        "/console/events",
        "/console/live/",
        "/console/tasks",
    ),
    "/enter",
    *(f"/workbench/{name}" for name in ("graph", "labels", "node", "find", "filter", "news", "progress")),
)
"""Streams, fragments and answers for programs; what is no HTML page is skipped in any case."""


class KindOfWeb(msgspec.Struct, frozen=True):
    """A web to look at: the lab behind it, and how it is crawled."""

    lab: tuple[str, ...] = ()
    crawl: tuple[str, ...] = ()
    runs: str = ""
    """What becomes of the crawl: "" if it ends, "kept" if it goes on while pages are looked at, "killed" if it is killed."""
    pages: int = 0
    """After so many pages, a crawl that does not end is looked at."""


WEBS = {
    "empty": KindOfWeb(),
    "small": KindOfWeb(("--pages", "80", "--hosts", "3"), ("--delay", "0", "--scope", "any")),
    "large": KindOfWeb(
        ("--pages", "3000", "--hosts", "80"),
        ("--delay", "0", "--scope", "any", "--pages", "1500"),
    ),
    "failing": KindOfWeb(
        ("--pages", "300", "--hosts", "6", "--trouble", "0.3"),
        ("--delay", "0", "--scope", "any", "--tries", "1", "--time", "15"),
    ),
    "stalled": KindOfWeb(
        ("--pages", "300", "--hosts", "3"),
        ("--delay", "60", "--adaptive", "0", "--scope", "any"),
        "kept",
        1,
    ),
    "killed": KindOfWeb(
        ("--pages", "3000", "--hosts", "20"), ("--delay", "0.2", "--scope", "any"), "killed", 60
    ),
}


@contextmanager
def make_web(kind: KindOfWeb, folder: Path) -> Iterator[None]:
    """Make a web; what still runs for it ends with the block."""
    if not kind.lab:
        with Web(folder):
            pass
        yield
        return
    with ExitStack() as running:
        lab = running.enter_context(run_child(*CLI, "lab", "serve", *kind.lab, "--json"))
        assert lab.stdout is not None
        start = json.loads(lab.stdout.readline())["seeds"][0]
        options = (start, "--web", str(folder), *kind.crawl, "--allow-private", "127.0.0.0/8", "--json")
        crawl = running.enter_context(run_child(*CLI, "crawl", *options))
        assert crawl.stdout is not None
        if kind.runs:
            _wait_for_pages(folder, kind.pages)
            if kind.runs == "killed":
                crawl.kill()
        else:
            crawl.stdout.read()
            with Web(folder) as web:
                web.index()
                refresh_words(web.store, folder)
        yield


def _wait_for_pages(folder: Path, pages: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        time.sleep(1.0)
        shown = subprocess.run(
            [sys.executable, *CLI, "tasks", "--json", "--web", str(folder)], capture_output=True, check=False
        ).stdout
        if shown and json.loads(shown.splitlines()[0])["counts"].get("downloaded", 0) >= pages:
            return
    raise SystemExit(f"the crawl of {folder.name} had not {pages} pages after {PATIENCE_S:.0f} seconds")


def list_paths(folder: Path) -> list[str]:
    """Return the paths of all pages, with examples for what they ask for."""
    with Web(folder) as web:
        urls = [page.url for page, _ in zip(web.store.pages(), range(40), strict=False)]
        known = [note.number for note in web.tasks()]
    url, other = (
        (urls[len(urls) // 2], urls[-1]) if urls else ("https://example.org/", "https://example.org/a")
    )
    host, task = urlsplit(url).netloc, known[0] if known else 1
    here = quote(url, safe="")
    asked = {
        "/search": ["?q=the", "?q=zzzz", "?q=%22"],
        "/groups": ["?q=the"],
        "/related": [f"?url={here}"],
        "/cached": [f"?url={here}"],
        "/ask": ["", "?q=what+is+the+history"],
        "/words": ["", "?of=keywords"],
        "/links": [f"?url={here}"],
        "/console/task": [f"?number={task}"],
        "/console/task/stop": [f"?number={task}"],
        "/console/task/change": [f"?number={task}"],
        "/console/task/facts": [],
        "/console/new": ["", "?seeds=nonsense&include=("],
        "/console/rules": ["", f"?urls={here}&task={task}"],
        "/console/documents": [
            "",
            f"?task={task}&count=failed",
            f"?task={task}&count=waiting",
            "?count=filtered",
        ],
        "/console/explain": ["", f"?url={here}"],
        "/workbench": [""],
        "/workbench/tree": ["", f"?site={host}"],
        "/workbench/tree/folder": [],
        "/workbench/path": ["", f"?from={here}&to={quote(other, safe='')}"],
        "/workbench/around": ["", f"?url={here}"],
    }
    filled = {
        "{kind}": list(KINDS)[:2],
        "{word:path}": ["history"],
        "{number:str}": ["1"],
        "{name}": ["none"],
    }
    found = ["/a-page-that-does-not-exist"]
    for _, table in ROUTES:
        for route in table:
            if (
                isinstance(route, Route)
                and "GET" in (route.methods or ())
                and not route.path.startswith(_NO_PAGES)
            ):
                found += _fill(route.path, asked, filled)
    return list(dict.fromkeys(found))


def _fill(path: str, asked: dict[str, list[str]], filled: dict[str, list[str]]) -> list[str]:
    if path.endswith((*_FILES, "/progress")) or "plot-" in path:
        return []
    paths = [path]
    for gap, values in filled.items():
        paths = [one.replace(gap, value) for one in paths for value in (values if gap in one else [""])]
    return [one + query for one in paths for query in asked.get(path, [""])]


class Look(msgspec.Struct, frozen=True):
    """A page as it was shown."""

    path: str
    png: bytes


def look_at(
    browser: Any, address: str, paths: Sequence[str], width: int, scheme: str, pictures: bool
) -> tuple[list[Look], list[str]]:
    """Open the pages at one width, in one scheme of colours; return pictures and faults."""
    axe: Any = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    looks: list[Look] = []
    faults: list[str] = []
    options = {
        "viewport": {"width": width, "height": 800},
        "color_scheme": scheme,
        "reduced_motion": "reduce",
    }
    context = browser.new_context(**options)
    context.set_default_timeout(60_000)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in paths:
        said.clear()
        answer = page.goto(address + path, wait_until="load")
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        page.wait_for_function(IS_SETTLED)
        page.wait_for_timeout(300)  # scripts that run after loading
        page.keyboard.press("Tab")  # from here on the focus is shown as for a keyboard
        found = find_faults(page, axe, focus=width == WIDTHS[-1])
        said = [one for one in said if answer.status < 400 or "status of" not in one]
        if answer.status >= 500:
            found.append(f"status {answer.status}")
        faults += [f"{path}  {width} {scheme}  {fault}" for fault in (*found, *said)]
        if pictures:
            high = min(page.evaluate("document.documentElement.scrollHeight"), MOST_HEIGHT)
            page.evaluate("document.activeElement.blur()")
            clip = {"x": 0, "y": 0, "width": width, "height": max(high, 500)}
            looks.append(Look(path, page.screenshot(full_page=True, clip=clip, caret="hide")))
    context.close()
    return looks, faults


def write_sheets(looks: Sequence[Look], base: Path, width: int) -> None:
    """Write sheets of pictures, each under its path, as wide as a screen shows them."""
    from PIL import Image, ImageDraw

    across = max(1, COLUMNS_WIDE // (min(width, 780) + GAP))
    part = (COLUMNS_WIDE - GAP) // across - GAP
    for number, first in enumerate(range(0, len(looks), 2 * across)):
        some = looks[first : first + 2 * across]
        pictures = []
        for look in some:
            with Image.open(io.BytesIO(look.png)) as shot:
                scale = min(1.0, part / shot.width)
                pictures.append(
                    shot.convert("RGB").resize((round(shot.width * scale), round(shot.height * scale)))
                )
        rows = [pictures[at : at + across] for at in range(0, len(pictures), across)]
        heights = [max(one.height for one in row) + 30 for row in rows]
        sheet = Image.new("RGB", (COLUMNS_WIDE, sum(heights) + GAP), "#777")
        draw, top = ImageDraw.Draw(sheet), GAP
        for at, row in enumerate(rows):
            for place, picture in enumerate(row):
                left = GAP + place * (part + GAP)
                draw.text((left, top), some[at * across + place].path[:70], fill="white")
                sheet.paste(picture, (left, top + 16))
            top += heights[at]
        sheet.save(base.with_name(f"{base.name}-{number + 1}.png"))


def look_at_web(name: str, folder: Path, given: argparse.Namespace, browser: Any) -> list[str]:
    """Make a web, look at all of its pages, and return the faults."""
    faults = []
    web = folder / f"{name}.web"
    shutil.rmtree(web, ignore_errors=True)
    with (
        make_web(WEBS[name], web),
        run_child(*CLI, "serve", "--json", "--port", "0", "--web", str(web)) as server,
    ):
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"].rstrip("/")
        paths = [path for path in list_paths(web) if path.startswith(given.only)]
        for width in given.widths:
            for scheme in given.schemes:
                looks, found = look_at(browser, address, paths, width, scheme, not given.no_pictures)
                faults += [f"{name}  {fault}" for fault in found]
                write_sheets(looks, folder / f"{name}-{width}-{scheme}", width)
                print(f"{name} {width} {scheme}: {len(looks)} pages, {len(found)} faults", file=sys.stderr)
    return faults


def main() -> int:
    """Look at all webs; return 1 if there is a fault."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("folder", type=Path, help="where webs and sheets are written")
    asked.add_argument("--webs", nargs="+", default=list(WEBS), choices=list(WEBS))
    asked.add_argument("--widths", nargs="+", type=int, default=list(WIDTHS))
    asked.add_argument("--schemes", nargs="+", default=list(SCHEMES), choices=SCHEMES)
    asked.add_argument("--only", default="/", help="pages whose path begins like this")
    asked.add_argument("--no-pictures", action="store_true")
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with open_browser() as browser:
        faults = [fault for name in given.webs for fault in look_at_web(name, given.folder, given, browser)]
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
