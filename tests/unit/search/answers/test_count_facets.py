from collections.abc import Mapping

from tests.unit.search.texts import entry

from gossamer.search.answers.count_facets import FacetCounts, count_facets
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse


def build(*pages: Mapping[str, object]) -> Index:
    index = Index()
    writer = index.writer()
    for number, one in enumerate(pages):
        writer.add(entry(number, main="haydn", **one))
    writer.commit()
    return index


def count(index: Index, query: str) -> FacetCounts:
    return count_facets(index, CompiledQuery(parse(query), index).query)


def test_pages_without_a_value_count_in_the_total() -> None:
    index = build(
        {"language": "de", "kind": ""}, {"language": "", "kind": "html"}, {"language": "de", "site": ""}
    )
    found = count(index, "haydn")
    assert found.total == 3
    assert found.by["language"] == {"de": 2}
    assert found.by["type"] == {"html": 2}
    assert found.by["site"] == {"site0.example": 1, "site1.example": 1}


def test_a_value_that_all_pages_share_is_counted() -> None:
    index = build({"language": "de"}, {"language": "de"})
    assert count(index, "depth:1").by == {
        "language": {"de": 1},
        "site": {"site1.example": 1},
        "type": {"html": 1},
    }
    assert count(index, "mozart") == FacetCounts(0, {"language": {}, "site": {}, "type": {}})


def test_the_total_includes_sites_beyond_the_listed_ones() -> None:
    index = build(*[{"language": "de"}] * 25)
    found = count(index, "haydn")
    assert (found.total, len(found.by["site"])) == (25, 10)


def test_an_empty_index_counts_nothing() -> None:
    assert count(Index(), "haydn").total == 0
