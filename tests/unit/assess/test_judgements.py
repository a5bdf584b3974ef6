from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.assess.judgements import (
    check_name,
    find_sample,
    forget_judgement,
    forget_sample,
    judged_pages,
    judgements,
    keep_judgements,
    keep_sample,
    sample_called,
    samples,
)
from gossamer.assess.records import Item, Judgement, Sample, Verdict
from gossamer.errors import BadInput
from gossamer.store.sqlite.sqlite_store import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def said(judge: str, page: int, verdict: Verdict, number: int = 1) -> Judgement:
    return Judgement(judge, page, verdict, number, when_s=1.0)


def sample(name: str, *pages: int) -> Sample:
    return Sample(name, asked=len(pages), seed=1, items=tuple(Item(page) for page in pages))


def test_samples_are_kept_by_name(store: SqliteStore) -> None:
    keep_sample(store, sample("b", -5, 7))
    keep_sample(store, sample("a", 1))
    assert [one.name for one in samples(store)] == ["a", "b"]
    assert find_sample(store, "b") == sample("b", -5, 7)
    assert find_sample(store, "c") is None


def test_judgements_are_read_back_in_order_of_judging_and_replaced(store: SqliteStore) -> None:
    keep_judgements(store, "s", [said("anna", 9, "relevant", 1), said("anna", -3, "not", 2)])
    keep_judgements(store, "s", [said("anna", 9, "unsure", 3)])
    keep_judgements(store, "s2", [said("anna", 9, "relevant")])
    keep_judgements(store, "s", [said("ann", 9, "not")])
    assert [(one.page, one.verdict) for one in judgements(store, "s", "anna")] == [(-3, "not"), (9, "unsure")]
    assert len(judgements(store, "s")) == 3
    forget_judgement(store, "s", said("anna", 9, "unsure", 3))
    assert [one.page for one in judgements(store, "s", "anna")] == [-3]


def test_more_judgements_than_are_read_at_once_are_all_read(store: SqliteStore) -> None:
    keep_judgements(store, "s", [said("anna", page, "not", page + 1) for page in range(2100)])
    keep_sample(store, sample("s", 1))
    assert [one.page for one in judgements(store, "s")] == list(range(2100))


def test_judged_pages_have_the_verdict_of_most_judges(store: SqliteStore) -> None:
    keep_sample(store, sample("s", 4, 3, 2, 1))
    keep_judgements(
        store,
        "s",
        [
            *(said(judge, 1, "relevant") for judge in "abc"),
            said("a", 2, "relevant"),
            said("b", 2, "not"),
            said("a", 3, "not"),
            said("b", 3, "unsure"),
        ],
    )
    assert judged_pages(store, "s") == [(3, "not"), (2, "unsure"), (1, "relevant")]


def test_a_forgotten_sample_leaves_nothing_and_others_alone(store: SqliteStore) -> None:
    for name in ("s", "s2"):
        keep_sample(store, sample(name, 1, 2))
        keep_judgements(store, name, [said("anna", 1, "not"), said("bert", 2, "relevant")])
    assert forget_sample(store, "s") == 2
    assert [one.name for one in samples(store)] == ["s2"]
    assert (judgements(store, "s"), len(judgements(store, "s2"))) == ([], 2)
    with pytest.raises(BadInput, match="no sample 's'"):
        forget_sample(store, "s")


def test_an_unknown_sample_is_told_with_what_there_is(store: SqliteStore) -> None:
    with pytest.raises(BadInput, match="gossamer assess --sample 100"):
        sample_called(store, "x")
    keep_sample(store, sample("depths", 1))
    with pytest.raises(BadInput, match="did you mean 'depths'"):
        judged_pages(store, "depth")
    with pytest.raises(BadInput, match="it has depths"):
        sample_called(store, "zzz")


@pytest.mark.parametrize("name", ["", "a/b", "-x", "x" * 65, "a b", "\x1b"])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(BadInput, match="a name has"):
        check_name("--judge", name)


def test_names_that_can_be() -> None:
    assert check_name("--judge", "Änne-2.b") == "Änne-2.b"
