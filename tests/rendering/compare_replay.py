"""Crawl pages of the lab that need JavaScript, replay them in pywb, and compare them with the live pages in a real Chromium."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from tests.browser.pictures import compare_pictures, open_browser, open_context
from tests.crawl.harness import get_world, make_quick_task, read_pages, run
from tests.formats.replay import run_wayback

from gossamer.lab.options import BowTie, Shape
from gossamer.lab.script_options import RESTING_SCRIPTS, Scripted
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.lab.world.world import World

_SCROLLS, _CLICKS, _PAUSE_MS = 12, 4, 250
_TEXT = """() => {
  const texts = [document.body.innerText];
  for (const one of document.querySelectorAll('*')) if (one.shadowRoot)
    for (const part of one.shadowRoot.children) texts.push(part.innerText || '');
  return texts.join(' ').split(/\\s+/).join(' ').trim();
}"""
_AT_END = """() => {
  const high = document.documentElement.scrollHeight;
  scrollTo(0, high);
  return high;
}"""


class Compared(msgspec.Struct, frozen=True):
    """A page of the archive beside the live one."""

    url: str
    kind: str
    similarity: float
    same_text: bool
    failed: tuple[str, ...]
    """Requests of the replayed page that failed."""


def compare_replay(folder: Path, pages: int, least: int) -> list[Compared]:
    """Crawl a world of so many pages with a browser, and compare at least so many of its rendered pages, of all kinds in turn."""
    shares = dict.fromkeys(RESTING_SCRIPTS, 0.97 / len(RESTING_SCRIPTS))
    core = BowTie(core=1.0, in_=0.0, out=0.0, tendrils=0.0, tubes=0.0, disconnected=0.0)
    scripted = Scripted(**shares)  # type: ignore[arg-type]  # names of shares
    world = World(
        seed=3,
        hosts=5,
        pages=pages,
        languages=("en",),
        shape=Shape(groups=(), bowtie=core),
        scripted=scripted,
    )
    with serving(world) as running:
        task = make_quick_task(running, render="always")
        run(folder / "web", task)
        chosen = choose_pages(running, folder / "web", least)
        with (
            serve_archive(folder / "web", folder / "pywb") as replay,
            open_browser() as browser,
            open_context(browser) as live,
            open_context(browser) as archived,
        ):
            return [compare(live, archived, replay, url, kind) for url, kind in chosen]


def choose_pages(running: LabServer, web: Path, least: int) -> list[tuple[str, str]]:
    """Return rendered pages with their kinds, of all kinds in turn."""
    by_kind: dict[str, list[tuple[str, str]]] = {}
    for url, page in read_pages(web).items():
        truth = get_world(running).page(url)
        if truth is not None and truth.scripted and "rendered" in page.marks:
            by_kind.setdefault(truth.scripted, []).append((url, truth.scripted))
    turns = zip_longest(*(by_kind[kind] for kind in sorted(by_kind)))
    chosen = [one for turn in turns for one in turn if one is not None][:least]
    if len(chosen) < least:
        raise SystemExit(f"only {len(chosen)} of {least} pages were rendered")
    return chosen


def compare(live: Any, archived: Any, replay: str, url: str, kind: str) -> Compared:
    """Compare a page with its replay."""
    png, text, _ = look(live, url)
    copy_png, copy_text, failed = look(archived, f"{replay}mp_/{url}")
    found = Compared(url, kind, compare_pictures(png, copy_png), text == copy_text, failed)
    if found.similarity < 0.98 or not found.same_text:
        print(f"{kind} {url}: similarity {found.similarity:.3f}, {failed[:3]}", file=sys.stderr)
    return found


def look(context: Any, url: str) -> tuple[bytes, str, tuple[str, ...]]:
    """Open a page as a reader does who goes to its end and loads more; return its picture, its text and what failed."""
    page = context.new_page()
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(url, wait_until="networkidle")
    high = 0
    for _ in range(_SCROLLS):
        before, high = high, page.evaluate(_AT_END)
        page.wait_for_timeout(_PAUSE_MS)
        if high == before:
            break
    button = page.get_by_role("button", name="Load more")
    for _ in range(_CLICKS):
        if button.count():
            button.click()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(_PAUSE_MS)
    png = page.screenshot(full_page=True, animations="disabled", caret="hide")
    text = page.evaluate(_TEXT)
    page.close(run_before_unload=False)
    return png, text, tuple(failed)


@contextmanager
def serve_archive(web: Path, folder: Path) -> Iterator[str]:
    """Replay the archive of a web in pywb until the block ends; yield the address of the collection."""
    collection = folder / "collections" / "web"
    (collection / "archive").mkdir(parents=True)
    (collection / "indexes").mkdir()
    lines: list[str] = []
    for path in sorted((web / "archive").glob("*.warc.gz")):
        (collection / "archive" / path.name).symlink_to(path)
        lines += path.with_name(path.name.replace(".warc.gz", ".cdxj")).read_text("utf-8").splitlines()
    index = "".join(f"{line}\n" for line in sorted(lines))
    (collection / "indexes" / "index.cdxj").write_text(index, "utf-8")
    # Without the frame and the banner that pywb puts around a page.
    (folder / "config.yaml").write_text("framed_replay: false\n", "utf-8")
    (folder / "templates").mkdir()
    (folder / "templates" / "banner.html").write_text("", "utf-8")
    with run_wayback(folder) as address:
        yield f"{address}web/"
