from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.assess.judgements import (
    check_name,
    check_question,
    delete_judgement,
    delete_sample,
    find_sample,
    get_question,
    get_sample,
    list_samples,
    read_judged_pages,
    read_judgements,
    save_judgements,
    save_sample,
)
from gossamer.assess.records import Item, Judgement, Sample, Verdict
from gossamer.errors import BadInput
from gossamer.store.sqlite.sqlite_store import SqliteStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    yield opened
    opened.close()


def make_judgement(judge: str, page: int, verdict: Verdict, number: int = 1) -> Judgement:
    return Judgement(judge, page, verdict, number, when_s=1.0)


def make_sample(name: str, *pages: int) -> Sample:
    return Sample(name, asked=len(pages), seed=1, items=tuple(Item(page) for page in pages))


def test_samples_are_saved_by_name(store: SqliteStore) -> None:
    save_sample(store, make_sample("b", -5, 7))
    save_sample(store, make_sample("a", 1))
    assert [one.name for one in list_samples(store)] == ["a", "b"]
    assert find_sample(store, "b") == make_sample("b", -5, 7)
    assert find_sample(store, "c") is None


def test_judgements_are_read_in_order_of_judging_and_later_ones_replace_earlier(store: SqliteStore) -> None:
    save_judgements(
        store, "s", [make_judgement("anna", 9, "relevant", 1), make_judgement("anna", -3, "not", 2)]
    )
    save_judgements(store, "s", [make_judgement("anna", 9, "unsure", 3)])
    save_judgements(store, "s2", [make_judgement("anna", 9, "relevant")])
    save_judgements(store, "s", [make_judgement("ann", 9, "not")])
    assert [(one.page, one.verdict) for one in read_judgements(store, "s", "anna")] == [
        (-3, "not"),
        (9, "unsure"),
    ]
    assert len(read_judgements(store, "s")) == 3
    delete_judgement(store, "s", make_judgement("anna", 9, "unsure", 3))
    assert [one.page for one in read_judgements(store, "s", "anna")] == [-3]


def test_more_judgements_than_one_read_returns_are_all_read(store: SqliteStore) -> None:
    save_judgements(store, "s", [make_judgement("anna", page, "not", page + 1) for page in range(2100)])
    save_sample(store, make_sample("s", 1))
    assert [one.page for one in read_judgements(store, "s")] == list(range(2100))


def test_judged_pages_have_the_verdict_of_most_judges(store: SqliteStore) -> None:
    save_sample(store, make_sample("s", 4, 3, 2, 1))
    save_judgements(
        store,
        "s",
        [
            *(make_judgement(judge, 1, "relevant") for judge in "abc"),
            make_judgement("a", 2, "relevant"),
            make_judgement("b", 2, "not"),
            make_judgement("a", 3, "not"),
            make_judgement("b", 3, "unsure"),
        ],
    )
    assert read_judged_pages(store, "s") == [(3, "not"), (2, "unsure"), (1, "relevant")]


def test_deleting_a_sample_deletes_its_judgements_and_no_others(store: SqliteStore) -> None:
    for name in ("s", "s2"):
        save_sample(store, make_sample(name, 1, 2))
        save_judgements(
            store, name, [make_judgement("anna", 1, "not"), make_judgement("bert", 2, "relevant")]
        )
    assert delete_sample(store, "s") == 2
    assert [one.name for one in list_samples(store)] == ["s2"]
    assert (read_judgements(store, "s"), len(read_judgements(store, "s2"))) == ([], 2)
    with pytest.raises(BadInput, match="no sample 's'"):
        delete_sample(store, "s")


def test_the_error_for_an_unknown_sample_lists_the_known_ones(store: SqliteStore) -> None:
    with pytest.raises(BadInput, match="gossamer assess --sample 100"):
        get_sample(store, "x")
    save_sample(store, make_sample("depths", 1))
    with pytest.raises(BadInput, match="did you mean 'depths'"):
        read_judged_pages(store, "depth")
    with pytest.raises(BadInput, match="it has depths"):
        get_sample(store, "zzz")


@pytest.mark.parametrize("name", ["", "a/b", "-x", "x" * 65, "a b", "\x1b"])
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="a name has"):
        check_name("--judge", name)


def test_a_valid_name_is_returned() -> None:
    assert check_name("--judge", "Änne-2.b") == "Änne-2.b"


def test_a_sample_has_a_question_of_its_own_or_about_its_topic() -> None:
    assert get_question(Sample("a", 1, 1)) == "Is this page relevant?"
    assert get_question(Sample("a", 1, 1, topic="chess")) == "Is this page about chess?"
    assert get_question(Sample("a", 1, 1, topic="chess", question="Is it good?")) == "Is it good?"


@pytest.mark.parametrize("question", ["x" * 201, "a\nb", "\x1b[2J", "a\u202eb"])
def test_a_question_that_is_not_plain_text_is_refused(question: str) -> None:
    with pytest.raises(BadInput, match="a question has"):
        check_question(question)
    assert check_question("  Is it good? ") == "Is it good?"
