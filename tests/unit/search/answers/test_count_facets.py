from collections.abc import Mapping

from tests.unit.search.texts import entry

from gossamer.search.answers.count_facets import Counted, counted
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.parse_query import parse


def built(*told: Mapping[str, object]) -> Index:
    index = Index()
    writer = index.writer()
    for number, one in enumerate(told):
        writer.add(entry(number, main="haydn", **one))
    writer.commit()
    return index


def asked(index: Index, query: str) -> Counted:
    return counted(index, Asked(parse(query), index).query)


def test_pages_that_say_nothing_are_in_the_total() -> None:
    index = built(
        {"language": "de", "kind": ""}, {"language": "", "kind": "html"}, {"language": "de", "site": ""}
    )
    found = asked(index, "haydn")
    assert found.total == 3
    assert found.by["language"] == {"de": 2}
    assert found.by["type"] == {"html": 2}
    assert found.by["site"] == {"site0.example": 1, "site1.example": 1}


def test_what_all_pages_have_in_common_is_told() -> None:
    index = built({"language": "de"}, {"language": "de"})
    assert asked(index, "depth:1").by == {
        "language": {"de": 1},
        "site": {"site1.example": 1},
        "type": {"html": 1},
    }
    assert asked(index, "mozart") == Counted(0, {"language": {}, "site": {}, "type": {}})


def test_more_sites_than_are_told_are_in_the_total() -> None:
    index = built(*[{"language": "de"}] * 25)
    found = asked(index, "haydn")
    assert (found.total, len(found.by["site"])) == (25, 10)


def test_an_empty_index_counts_nothing() -> None:
    assert asked(Index(), "haydn").total == 0
