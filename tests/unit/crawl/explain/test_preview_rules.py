"""A preview judges known links as a crawl would, and estimates where there are too many."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.rows import LinkRow, link, to_columns

from gossamer.config import TaskSpec, from_options
from gossamer.crawl.explain.known_links import read_known_links, read_learnt_rules
from gossamer.crawl.explain.preview_rules import (
    UNREACHED,
    RulePreview,
    compare_judgements,
    judge_known,
    summarise_judgement,
)
from gossamer.errors import BadInput
from gossamer.net.url import page_id
from gossamer.records import Decision, HostNote
from gossamer.store.batch import Batch, Store
from gossamer.store.sqlite.sqlite_store import SqliteStore

A, B = "http://a.example/", "http://b.example/"
PAGES = [A, f"{A}1", f"{A}2", f"{A}1/1", f"{A}1/1/1", f"{A}secret/x", B, f"{A}alone", f"{A}from-redirect"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A web of nine URLs: a chain of links, a redirect, a link that asks not to be followed, and a page without links to it."""
    opened = SqliteStore(tmp_path / "s", create=True)
    ids = {url: page_id(url) for url in PAGES}
    links: list[LinkRow] = [
        *(link(ids[A], ids[url]) for url in (f"{A}1", f"{A}secret/x", B)),
        (ids[A], ids[f"{A}2"], "a", "", True, False, False),
        link(ids[f"{A}1"], ids[f"{A}1/1"]),
        link(ids[f"{A}1/1"], ids[f"{A}1/1/1"]),
        (ids[f"{A}1"], ids[f"{A}from-redirect"], "redirect", "", False, False, False),
    ]
    opened.commit(
        Batch(
            known=[(page, url) for url, page in ids.items()],
            links=to_columns(links),
            hosts=[HostNote("a.example", 0.0, 1.0, 0, "", b"User-agent: *\nDisallow: /secret/")],
        )
    )
    yield opened
    opened.close()


def judge(store: Store, spec: TaskSpec) -> dict[str, str]:
    known = read_known_links(store)
    found = judge_known(known, read_learnt_rules(store), spec, spec.seeds)
    return dict(zip(known.urls, found.verdicts, strict=True))


def test_every_rule_that_can_be_known_before_is_applied(store: SqliteStore) -> None:
    verdicts = judge(store, from_options(seeds=[A], depth=1))
    assert verdicts == {
        A: "",
        f"{A}1": "",
        f"{A}2": UNREACHED,  # rel=nofollow
        f"{A}1/1": "depth",
        f"{A}1/1/1": "depth",
        f"{A}secret/x": "robots",
        B: "scope",
        f"{A}alone": UNREACHED,
        f"{A}from-redirect": "",  # a redirect leads no deeper
    }


def test_paths_lead_only_through_pages_that_are_followed(store: SqliteStore) -> None:
    verdicts = judge(store, from_options(seeds=[A], exclude=["example/1/1$"], robots=False, nofollow=False))
    assert verdicts[f"{A}1/1"] == "exclude"
    assert verdicts[f"{A}1/1/1"] == UNREACHED
    assert verdicts[f"{A}secret/x"] == verdicts[f"{A}2"] == ""


def test_start_pages_are_refused_by_no_rule(store: SqliteStore) -> None:
    verdicts = judge(store, from_options(seeds=[A], exclude=["."]))
    assert {url for url, rule in verdicts.items() if not rule} == {A}


def test_pages_that_ask_not_to_follow_their_links_lead_nowhere(store: SqliteStore) -> None:
    store.commit(Batch(decisions=[Decision(page_id(f"{A}1"), 1, 1.0, "nofollow page")]))
    assert judge(store, from_options(seeds=[A]))[f"{A}1/1"] == UNREACHED
    assert judge(store, from_options(seeds=[A], nofollow=False))[f"{A}1/1"] == ""


def test_the_nearest_pages_of_a_host_use_up_its_limit(store: SqliteStore) -> None:
    verdicts = judge(store, from_options(seeds=[A], per_host=3))
    assert [url for url, rule in verdicts.items() if not rule] == [A, f"{A}1", f"{A}from-redirect"]
    assert verdicts[f"{A}1/1"] == "per_host"


def test_traps_that_were_found_before_are_left_out(store: SqliteStore) -> None:
    store.commit(Batch(decisions=[Decision(1, 1, 1.0, "trap", f"near copies: {A}#/#")]))
    assert judge(store, from_options(seeds=[A]))[f"{A}1/1"] == "trap"
    assert judge(store, from_options(seeds=[A], traps=False))[f"{A}1/1"] == ""


def test_depths_count_as_nought_if_no_start_page_was_read(store: SqliteStore) -> None:
    spec = from_options(seeds=["http://new.example/"], scope="any", depth=0)
    known = read_known_links(store)
    found = judge_known(known, read_learnt_rules(store), spec, spec.seeds)
    preview = summarise_judgement(known, found, pages=3)
    assert (preview.walked, preview.taken, preview.known) == (False, 8, 9)
    assert preview.limit == 3
    assert preview.refused == {"robots": 1}
    assert preview.examples["robots"] == [f"{A}secret/x"]


def test_a_change_is_compared(store: SqliteStore) -> None:
    known, learnt = read_known_links(store), read_learnt_rules(store)
    specs = [from_options(seeds=[A], depth=1), from_options(seeds=[A], depth=3, exclude=["redirect"])]
    before, after = (judge_known(known, learnt, spec, spec.seeds) for spec in specs)
    change = compare_judgements(known, before, after)
    assert (change.gained, change.gained_examples) == (2, [f"{A}1/1", f"{A}1/1/1"])
    assert (change.lost, change.lost_examples) == (1, [(f"{A}from-redirect", "exclude")])
    assert (change.before.taken, change.after.taken) == (3, 4)


def test_a_large_web_is_estimated_from_a_sample(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s", create=True)
    urls = [f"http://{'a' if at % 4 else 'b'}.example/{at}" for at in range(8_000)]
    store.commit(Batch(known=[(page_id(url), url) for url in urls]))
    known = read_known_links(store, most=5_000, sample=1_000)
    spec = from_options(seeds=[A])
    preview = summarise_judgement(known, judge_known(known, read_learnt_rules(store), spec, [A]))
    guess, low, high = preview.estimate(preview.taken)
    assert (preview.known, preview.judged, preview.is_sample) == (8_000, 1_000, True)
    assert low < guess < high
    assert low <= 6_000 <= high
    store.close()


def test_intervals_stay_within_what_is_possible() -> None:
    none = RulePreview(1_000_000, 1_000, 0, {}, {}, walked=False)
    assert none.estimate(0)[:2] == (0, 0)
    assert none.estimate(0)[2] == pytest.approx(3_827, abs=5)
    assert none.estimate(1_000)[2] == 1_000_000


def test_a_pattern_that_does_not_compile_is_refused(store: SqliteStore) -> None:
    with pytest.raises(BadInput, match="is not a regular expression"):
        judge(store, from_options(seeds=[A], include=["("]))


def test_an_empty_web_has_nothing_to_take_up(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s", create=True)
    known = read_known_links(store)
    found = judge_known(known, read_learnt_rules(store), from_options(seeds=[A], depth=2), [A])
    assert summarise_judgement(known, found).estimate(0) == (0, 0, 0)
    store.close()
