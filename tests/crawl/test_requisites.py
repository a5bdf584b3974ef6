"""`crawl --requisites`: pages are kept with what they need to be shown, from any host, and beside all limits of pages."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import HTML, Toy, check_archive, check_state, make_quick_task, read_pages, run

from gossamer.crawl.explain.explain_url import explain
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.records import Page
from gossamer.web import Web

HOST, OTHER = "127.0.0.71", "127.0.0.72"
CSS = (("Content-Type", "text/css"),)
PNG = (("Content-Type", "image/png"),)
IMAGE = LabAnswer(200, PNG, b"\x89PNG\r\n\x1a\n" + bytes(40))
ROBOTS = {"/robots.txt": LabAnswer(200, (), b"User-agent: *\nDisallow: /secret")}
PAGES = 12
served: list[LabServer] = []


def make_page(number: int) -> LabAnswer:
    other = f"http://{OTHER}:{served[-1].port}"
    body = f"""<title>page {number}</title><link rel=stylesheet href="{other}/site.css">
    <link rel=icon href=/icon.png><img src="/own-{number}.png" srcset="/large-{number}.png 2x">
    <img src="{other}/moved.png"><img src=/gone.png><img src=/secret.png><iframe src="{other}/frame.html"></iframe>
    <p style="background: url({other}/inline.png)">{"".join(f'<a href="/{n}">{n}</a>' for n in range(1, PAGES))}
    <a href="{other}/linked.html">not in scope</a><img src=data:image/png;base64,AA==>"""
    return LabAnswer(200, HTML, body.encode())


@pytest.fixture
def lab() -> Iterator[LabServer]:
    pages: dict[str, Any] = {f"/{number}": (lambda n=number: make_page(n)) for number in range(1, PAGES)}
    pages["/"] = lambda: make_page(0)
    pages |= {f"/{size}-{number}.png": IMAGE for size in ("own", "large") for number in range(PAGES)}
    other = {
        "/site.css": LabAnswer(200, CSS, b"@import 'more.css'; @font-face { src: url('font.woff2') }"),
        "/more.css": LabAnswer(200, CSS, b"@import 'site.css'; p { background: url(deep.png) }"),
        "/font.woff2": LabAnswer(200, (("Content-Type", "font/woff2"),), b"wOF2" + bytes(40)),
        "/moved.png": LabAnswer(302, (("Location", "/there.png"),)),
        "/frame.html": LabAnswer(200, HTML, b"<img src=framed.png><a href=/linked.html>x</a>"),
        "/linked.html": LabAnswer(200, HTML, b"linked"),
    }
    other |= {f"/{name}.png": IMAGE for name in ("deep", "there", "framed", "inline")}
    world = Toy(
        {HOST: {**ROBOTS, **pages, "/icon.png": IMAGE, "/secret.png": IMAGE}, OTHER: {**ROBOTS, **other}}
    )
    with serving(world) as running:
        served.append(running)
        yield running


SHARED = {
    "site.css",
    "more.css",
    "font.woff2",
    "there.png",
    "frame.html",
    "framed.png",
    "inline.png",
    "deep.png",
}


def make_task(lab: LabServer, **options: Any) -> Any:
    return make_quick_task(
        lab, seeds=[f"http://{HOST}:{lab.port}/"], scope="host", requisites=True, **options
    )


def split_pages(web: Path) -> tuple[dict[str, Page], set[str]]:
    """Return the pages of the site by path, and the names of everything else that is kept."""
    found = read_pages(web)
    pages = {url: page for url, page in found.items() if page.index}
    return pages, {url.rpartition("/")[2] for url in found if url not in pages}


def own_images(pages: dict[str, Page]) -> set[str]:
    numbers = [url.rpartition("/")[2] or "0" for url in pages]
    return {f"{size}-{number}.png" for size in ("own", "large") for number in numbers} | {"icon.png"}


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_pages_are_kept_with_everything_that_they_show(
    lab: LabServer, processes: int, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    events = run(web, make_task(lab), processes=processes)
    pages, others = split_pages(web)
    assert len(pages) == PAGES
    assert others == SHARED | own_images(pages)
    counts = events.get_end().counts
    assert counts["downloaded"] == PAGES
    assert counts["requisites"] == len(others)
    assert counts["failed:404"] == 1
    assert counts["refused:robots"] == 1
    assert counts["requisites queued"] == counts["requisites finished"]
    asked = Counter((one.host, one.target) for one in lab.log.entries() if one.target != "/robots.txt")
    assert max(asked.values()) == 1
    check_state(web)
    check_archive(web)


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "processes"), [("pages", 1), ("pages", 2), ("per_host", 1)])
def test_the_limit_of_pages_does_not_count_requisites(
    lab: LabServer, limit: str, processes: int, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    events = run(web, make_task(lab, **{limit: 3}), processes=processes)
    pages, others = split_pages(web)
    assert len(pages) == 3
    assert others == SHARED | own_images(pages)
    assert events.get_end().counts["downloaded"] == 3
    check_state(web)
    run(web, again=True, **{limit: 5}, processes=processes)
    pages, others = split_pages(web)
    assert others == SHARED | own_images(pages)
    if limit == "pages":
        assert len(pages) == 5
    check_state(web)


@pytest.mark.slow
def test_a_stopped_crawl_resumes_with_the_requisites_that_are_left(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_task(lab, body_bytes=1))
    assert len(read_pages(web)) == 1
    run(web, again=True, body_bytes=0, pages=1)
    pages, others = split_pages(web)
    assert others == SHARED | own_images(pages)
    check_state(web)


@pytest.mark.slow
def test_a_dead_host_of_requisites_does_not_keep_a_full_task_from_ending(
    lab: LabServer, tmp_path: Path
) -> None:
    dead = LabAnswer(200, HTML, "".join(f"<img src=http://127.0.0.99:9/{n}.png>" for n in range(9)).encode())
    with serving(Toy({"127.0.0.73": {**ROBOTS, "/": dead}})) as running:
        options = {
            "seeds": [f"http://127.0.0.73:{running.port}/"],
            "pages": 1,
            "tries": 1,
            "back_off_s": 0.01,
        }
        events = run(tmp_path / "web", make_quick_task(running, requisites=True, robots=False, **options))
    counts = events.get_end().counts
    assert counts["requisites queued"] == counts["requisites finished"] == 9
    check_state(tmp_path / "web")


@pytest.mark.slow
def test_explain_names_the_page_that_needs_a_requisite(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_task(lab, pages=1, kinds=["html"]))
    home, other = f"http://{HOST}:{lab.port}/", f"http://{OTHER}:{lab.port}/"
    with Web(web, create=False) as opened:
        [style] = explain(opened.store, f"{other}site.css").tasks
        [deep] = explain(opened.store, f"{other}deep.png").tasks
        [secret] = explain(opened.store, f"{home}secret.png").tasks
        [page] = explain(opened.store, home).tasks
        [linked] = explain(opened.store, f"{other}linked.html").tasks
    assert (style.verdict, style.requisite_of) == ("fetched", home)
    assert (deep.verdict, deep.requisite_of) == ("fetched", f"{other}more.css")
    assert (secret.verdict, secret.rule, secret.requisite_of) == ("refused", "robots", home)
    assert page.requisite_of == ""
    assert (linked.verdict, linked.rule) == ("not followed", "scope")


@pytest.mark.slow
def test_without_the_option_nothing_but_pages_is_fetched(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, seeds=[f"http://{HOST}:{lab.port}/"], scope="host"))
    assert {page.kind for page in read_pages(web).values()} == {"html"}
