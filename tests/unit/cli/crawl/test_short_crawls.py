"""A crawl that ends at one page says why."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import HTML, Toy, make_quick_task

from gossamer.cli.crawl.crawl_views import _explain_short_crawl, describe_single_page, summarise
from gossamer.cli.crawl.watch_crawl import _report_empty
from gossamer.crawl.events import TaskEnded
from gossamer.crawl.explain.explain_ending import SinglePage
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web

HOST = "127.9.1.1"
PDF = (("Content-Type", "application/pdf"),)


def html(source: str) -> LabAnswer:
    return LabAnswer(200, HTML, source.encode())


WORLD = Toy(
    {
        HOST: {
            "/robots.txt": LabAnswer(200, (), b"User-agent: *\nDisallow: /closed\n"),
            "/script": html("<script src=app.js></script><div id=app></div>"),
            "/plain": html("<p>Nothing leads on from here."),
            "/scope": html(
                "<a href=http://a.example/>a</a> <a href=http://b.example/>b</a> <a href=#x>c</a>"
            ),
            "/quiet": html("<meta name=robots content=nofollow><a href=/plain>a</a>"),
            "/itself": html("<a href=/itself>a</a> <a href=#top>b</a>"),
            "/lost": html("<a href=/missing>a</a> <a href=/closed>b</a>"),
            "/paper": LabAnswer(200, PDF, b"%PDF-1.4"),
            "/two": html("<a href=/plain>a</a>"),
            "/away": LabAnswer(302, (("Location", "http://a.example/"),)),
        }
    }
)
SENTENCES = {
    "script": "it has no links and 0 words of text. If a browser shows links there, JavaScript makes them, which "
    "Gossamer does not run: a sitemap (--sitemaps) may list the pages.",
    "plain": "it has no links.",
    "scope": "of its 3 links, none led to another page (2: outside the task's scope). "
    "`--scope site` or `--scope any` follows links to other hosts.",
    "quiet": "of its 1 link, none led to another page (1: the page with the link asks robots not to follow its "
    "links). `--no-nofollow` follows links of pages that ask not to.",
    "itself": "its 2 links lead only to itself.",
    "lost": "of its 2 links, none led to another page (1 refused: robots.txt forbids it; "
    "1 failed: the server answered 404).",
    "paper": "it is not HTML (pdf) and could not be read: broken: it is not a whole PDF file.",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder: Path = tmp_path_factory.mktemp("short") / "web"
    with serving(WORLD) as running, Web(folder) as opened:
        opened.run(
            [
                make_quick_task(
                    running,
                    seeds=[f"http://{HOST}:{running.port}/{name}"],
                    scope="host",
                    delay_s=0.0,
                    name=name,
                )
                for name in (*SENTENCES, "two", "away")
            ]
        )
        yield opened


def end(web: Web, name: str, **changes: str) -> TaskEnded:
    note = web.task(name)
    facts = {"state": note.state, "reason": note.reason} | changes
    return TaskEnded(0.0, note.name, counts=note.counts, **facts)


@pytest.mark.parametrize("name", SENTENCES)
def test_the_reason_is_the_true_one(web: Web, name: str) -> None:
    sentence = _explain_short_crawl(web, end(web, name))
    begin, _, why = sentence.partition(f"/{name}: ")
    assert begin.startswith(f"{name} ended after one page, http://{HOST}:")
    assert why == SENTENCES[name]


def test_what_became_of_other_start_pages_is_not_told_of_links() -> None:
    page = SinglePage("http://a.example/", "html", 5, 0, {}, scripts=False, keeps_links=True)
    ended = TaskEnded(0.0, "a", "finished", "nothing left", counts={"refused:robots": 1})
    why = "it has no links. Other pages: 1 refused: robots.txt forbids it."
    assert describe_single_page(page, ended) == f"a ended after one page, http://a.example/: {why}"


def test_it_is_printed_after_the_counts(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    summarise(web, [end(web, "plain")])
    assert "plain ended after one page, http://" in capsys.readouterr().out


def test_crawls_with_more_pages_or_limits_say_nothing(web: Web) -> None:
    assert _explain_short_crawl(web, end(web, "two")) == ""
    assert _explain_short_crawl(web, end(web, "plain", reason="limit reached: 1 page")) == ""
    assert _explain_short_crawl(web, end(web, "plain", state="stopped")) == ""


def test_a_redirect_that_is_not_followed_is_named(web: Web, capsys: pytest.CaptureFixture[str]) -> None:
    assert _report_empty(end(web, "away"))
    told = "away could not fetch any page: it redirects, and the target was not fetched: outside the task's scope."
    assert told in capsys.readouterr().err
