"""Single URLs are judged before a crawl meets them, with what would have to change."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.rows import link, to_columns

from gossamer.config import from_options
from gossamer.crawl.explain.judge_urls import UrlJudge, UrlVerdict
from gossamer.crawl.explain.known_links import read_learnt_rules
from gossamer.net.url import page_id
from gossamer.records import HostNote, Visit
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore

HOME = "http://www.a.example/docs/"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "s", create=True)
    chain = [page_id(url) for url in (HOME, f"{HOME}1", f"{HOME}2", f"{HOME}3")]
    opened.commit(
        Batch(
            known=list(zip(chain, (HOME, f"{HOME}1", f"{HOME}2", f"{HOME}3"), strict=True)),
            links=to_columns([link(chain[at], chain[at + 1]) for at in range(3)]),
            visits=[Visit(chain[1], 1, 1.0, "fetched", 200)],
            hosts=[HostNote("www.a.example", 0.0, 1.0, 0, "", b"User-agent: *\nDisallow: /docs/private")],
            spent=[(1, "www.a.example", 7)],
        )
    )
    yield opened
    opened.close()


def judge(store: SqliteStore, url: str, **options: object) -> UrlVerdict:
    spec = from_options(seeds=[HOME], **options)
    return UrlJudge(store, read_learnt_rules(store), spec, [HOME], 1).judge(url)


def test_each_rule_is_named_with_its_change(store: SqliteStore) -> None:
    asked = {
        "depth": (judge(store, f"{HOME}3", depth=2), "3 links away; the limit is 2", "--depth 3"),
        "scope": (judge(store, "http://a.example/x"), "the scope is host", "--scope site"),
        "exclude": (
            judge(store, f"{HOME}cal/1", exclude=["/cal/", "other", "1$"]),
            "/cal/ and 1$",
            "without --exclude /cal/ and 1$",
        ),
        "include": (judge(store, f"{HOME}x", include=["/y"]), "/y", "a further --include that matches it"),
        "exclude_hosts": (
            judge(store, f"{HOME}x", exclude_hosts=["^www"]),
            "^www",
            "without --exclude-hosts ^www",
        ),
        "robots": (
            judge(store, f"{HOME}private/1"),
            "robots.txt of www.a.example",
            "ask the owner of the site",
        ),
        "per_host": (
            judge(store, f"{HOME}x", per_host=7),
            "7 pages of www.a.example are fetched",
            "--per-host 8",
        ),
    }
    for rule, (found, detail, change) in asked.items():
        assert (found.rule, found.detail, found.change) == (rule, detail, change)
    assert judge(store, f"{HOME}a/a/a/a/a/a/a/a").rule == "trap"


def test_all_rules_that_refuse_a_url_are_listed(store: SqliteStore) -> None:
    found = judge(store, "https://b.example/cal", exclude=["cal"], include=["/docs/"])
    assert (found.rule, found.also, found.change) == ("scope", ("include", "exclude"), "--scope any")


def test_the_narrowest_scope_that_takes_a_url_is_proposed(store: SqliteStore) -> None:
    assert judge(store, f"{HOME}x", scope="page").change == "--scope directory"
    assert judge(store, "http://www.a.example/y", scope="directory").change == "--scope host"


def test_what_the_task_has_done_is_said(store: SqliteStore) -> None:
    found = judge(store, f"{HOME}1")
    assert (found.rule, found.state, found.depth) == ("", "fetched", 1)
    assert judge(store, HOME, exclude=["."]).start_page
    assert judge(store, "no url").rule == "not a URL"


def test_a_task_that_does_not_exist_yet_has_done_nothing(store: SqliteStore) -> None:
    spec = from_options(seeds=[HOME])
    assert UrlJudge(store, read_learnt_rules(store), spec, [HOME]).judge(f"{HOME}1").state == ""
