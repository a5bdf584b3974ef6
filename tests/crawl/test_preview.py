"""A preview tells before a crawl which links it takes up: exactly those, if the web knows all pages."""

from pathlib import Path

import pytest
from tests.crawl.harness import LOOPBACK, Toy, make_link_page, make_quick_task

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.explain.known_links import read_known_links, read_learnt_rules
from gossamer.crawl.explain.preview_rules import judge_known
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web

ONE, TWO = "127.9.9.1", "127.9.9.2"
REDIRECT = LabAnswer(302, (("Location", "/deep/end"),))
CLOSED = LabAnswer(
    200, (("Content-Type", "text/html"),), b"<meta name=robots content=nofollow><a href=/closed/in>x</a>"
)


def make_world(port: int) -> Toy:
    far = f"http://{TWO}:{port}/"
    return Toy(
        {
            ONE: {
                "/robots.txt": LabAnswer(200, (), b"User-agent: *\nDisallow: /private"),
                "/": make_link_page("/a", "/b/", "/private/x", "/moved", "/closed", far),
                "/a": make_link_page("/a/a", "/b/1"),
                "/a/a": make_link_page("/a/a/a"),
                "/a/a/a": make_link_page("/"),
                "/b/": make_link_page("/b/1", "/b/2"),
                "/b/1": make_link_page("/b/only-from-here"),
                "/b/2": make_link_page(),
                "/b/only-from-here": make_link_page(),
                "/moved": REDIRECT,
                "/deep/end": make_link_page("/deep/er"),
                "/deep/er": make_link_page(),
                "/closed": CLOSED,
                "/closed/in": make_link_page(),
            },
            TWO: {"/robots.txt": LabAnswer(404), "/": make_link_page("/more"), "/more": make_link_page()},
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"scope": "host"},
        {"scope": "any", "depth": 1},
        {"scope": "host", "depth": 2, "exclude": ["/b/1$"]},
        {"scope": "host", "exclude": ["/b/1$"], "nofollow": False},
        {"scope": "external", "depth": 2},
        {"scope": "any", "include": ["/a", "/$"], "robots": False},
        {"scope": "any", "exclude_hosts": [r"\.2"], "per_host": 50},
    ],
    ids=lambda options: ",".join(map(str, options)),
)
def test_a_preview_is_what_the_crawl_does(tmp_path: Path, options: dict[str, object]) -> None:
    toy = make_world(0)
    with serving(toy) as lab, Web(tmp_path / "web") as web:
        toy._pages = make_world(lab.port)._pages
        seed = [lab.url(ONE)]
        everything = make_quick_task(lab, seeds=seed, delay_s=0.0)
        web.run([everything])
        task = make_quick_task(lab, seeds=seed, name="second", delay_s=0.0, **options)
        known = read_known_links(web.store)
        found = judge_known(known, read_learnt_rules(web.store), task.spec, list_start_pages(task.spec))
        expected = {url for url, rule in zip(known.urls, found.verdicts, strict=True) if not rule}
        web.run([task])
        visited = {
            one.page
            for one in web.store.all_visits()
            if one.task == 2 and one.result not in ("robots", "refused")
        }
        assert read_spec(web.task("second")).fetching.allow_private == tuple(LOOPBACK)
        assert {web.store.url(page) for page in visited} == expected
        assert len(expected) > 1
