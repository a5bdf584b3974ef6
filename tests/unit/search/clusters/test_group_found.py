import pytest
from tests.unit.search.texts import entry

from gossamer.search.answers.answer_records import SearchOptions
from gossamer.search.clusters.group_found import search_and_group
from gossamer.search.clusters.sample_terms import sample_terms
from gossamer.search.index.search_index import Index

SUBJECTS = ("steam boilers in coal mines", "string quartets for two violins", "rain forest of Brazil")


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index()
    writer = index.writer()
    for number in range(60):
        subject = SUBJECTS[number % 3]
        own = " ".join(f"own{number * 40 + at}" for at in range(40))  # no near copies
        writer.add(
            entry(number, title=f"jaguar {subject}", main=f"The jaguar and {subject}. {own}", language="en")
        )
    writer.commit()
    index.reload()
    return index


def test_the_answers_of_an_index_are_grouped_and_all_are_counted(index: Index) -> None:
    found, grouped = search_and_group(index, "jaguar", SearchOptions(page=3, size=5))
    assert (grouped.total, grouped.grouped, len(found.answers)) == (60, 60, 60)
    assert [group.count for group in grouped.groups] == [20, 20, 20]
    assert [group.pages for group in grouped.groups] == [20, 20, 20]
    for group in grouped.groups:
        titles = {found.answers[rank - 1].title for rank in group.ranks}
        assert len(titles) == 1
        assert group.label in titles.pop()


def test_filters_narrow_what_is_grouped(index: Index) -> None:
    _, grouped = search_and_group(index, "jaguar", SearchOptions(only={"title": "violins"}))
    assert (grouped.total, grouped.grouped) == (20, 20)


def test_a_query_without_answers_has_no_groups(index: Index) -> None:
    _, grouped = search_and_group(index, "zyzzyva", SearchOptions())
    assert (grouped.total, grouped.groups, grouped.rest) == (0, (), ())


def test_the_sample_is_kept_until_the_index_changes(index: Index) -> None:
    first = sample_terms(index)
    assert first.pages == 60
    assert first.counts["quartet"] == 20
    assert sample_terms(index) is first
    index.reload()
    assert sample_terms(index) is not first
