"""A crawl of made-up sitemaps ends by itself, and explains what it left out."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.crawl.harness import Pages, Toy, make_quick_task, read_pages, run

from gossamer.cli import main
from gossamer.crawl.explain.explain_url import explain
from gossamer.crawl.host_shards import share_of
from gossamer.crawl.task import sitemap_budget
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.net.url import page_id
from gossamer.web import Web

HANG_S = 300.0


def index(*paths: str) -> LabAnswer:
    listed = "".join(f"<sitemap><loc>{path}</loc></sitemap>" for path in paths)
    body = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</sitemapindex>'
    return LabAnswer(200, (("Content-Type", "application/xml"),), body.encode())


def list_pages(*paths: str) -> LabAnswer:
    listed = "".join(f"<url><loc>{path}</loc></url>" for path in paths)
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'
    return LabAnswer(200, (("Content-Type", "application/xml"),), body.encode())


def test_indexes_without_end_are_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
        f"/index{at}.xml": index(f"/index{at + 1}.xml", f"/other{at}.xml") for at in range(40)
    }
    pages |= {f"/other{at}.xml": list_pages(f"/page{at}") for at in range(40)}
    folder = tmp_path / "web"
    with serving(Toy({"127.0.0.1": pages})) as running:
        start = running.url(path="/index0.xml")
        task = make_quick_task(running, seeds=[], sitemaps=[start], robots=False, tries=1, time_s=HANG_S)
        ended = run(folder, task).get_end()
        assert (ended.reason, ended.counts["filtered:sitemaps"]) == ("nothing left to fetch", 2)
        kept = {url.removeprefix(running.url(path="")) for url in read_pages(folder)}
        indexes = {path for path in kept if "index" in path}
        assert len(indexes) == sitemap_budget.DEEPEST_INDEX + 1, "the last one is fetched and not followed"
        beyond = running.url(path=f"/index{sitemap_budget.DEEPEST_INDEX + 1}.xml")
        with Web(folder, create=False) as web:
            (found,) = explain(web.store, beyond).tasks
            assert web.store.visits(page_id(running.url(path="/page2")))
    assert (found.verdict, found.rule) == ("not followed", "sitemaps")
    assert "indexes follow each other" in found.detail
    assert main.run_verb(["explain", beyond, "--web", str(folder)]) == 0
    assert "beyond the limits for sitemaps" in capsys.readouterr().out


def test_further_sitemaps_of_a_host_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_budget, "MOST_FILES", 5)
    pages: dict[str, LabAnswer | Callable[[], LabAnswer]] = {
        "/index.xml": index(*(f"/list{at}.xml" for at in range(30)))
    }
    pages |= {f"/list{at}.xml": list_pages(f"/page{at}") for at in range(30)}
    folder = tmp_path / "web"
    with serving(Toy({"127.0.0.1": pages})) as running:
        task = make_quick_task(
            running, seeds=[], sitemaps=[running.url(path="/index.xml")], robots=False, tries=1, time_s=HANG_S
        )
        counts = run(folder, task).get_end().counts
    assert counts["downloaded"] == 5, "one connection a host: none was under way"
    assert counts["refused:sitemaps"] == 26


@pytest.mark.slow
def test_indexes_that_alternate_between_the_hosts_of_two_processes_are_left(tmp_path: Path) -> None:
    pages: Pages = {f"127.0.1.{number}": {} for number in range(1, 30)}
    folder = tmp_path / "web"
    with serving(Toy(pages), processes=1) as running:
        own = [  # a host of each process
            next(host for host in pages if share_of(f"{host}:{running.port}") % 2 == shard)
            for shard in (0, 1)
        ]
        for at in range(12):
            pages[own[at % 2]][f"/{at}.xml"] = index(running.url(own[1 - at % 2], f"/{at + 1}.xml"))
        start = running.url(own[0], "/0.xml")
        task = make_quick_task(
            running, seeds=[], sitemaps=[start], scope="any", robots=False, tries=1, time_s=HANG_S
        )
        run(folder, task, processes=2)
    assert len(read_pages(folder)) == sitemap_budget.DEEPEST_INDEX + 1
