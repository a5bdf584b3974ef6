"""Count the pages that a query finds: in total, by language, site and type, and by year."""

from calendar import timegm

import msgspec

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import COUNTED_FIELDS, Index

_NAMES = {"language": "language", "site": "site", "kind": "type"}
"""By field of the index: its name in answers."""
# No page of the web is older, and dates in the future are not accepted.
_FIRST_YEAR, _LAST_YEAR = 1990, 2100


class FacetCounts(msgspec.Struct, frozen=True):
    """The number of pages found."""

    total: int
    by: dict[str, dict[str, int]]
    """By language, site and type, the most frequent first; on request also by year, the newest first."""


def count_facets(index: Index, query: "tantivy.Query", years: bool = False) -> FacetCounts:
    """Count the pages that a query finds. Cost: one pass, with some nanoseconds for each page and field."""
    # A field with the same value on all pages need not be counted.
    same = {field: next(iter(counts)) for field, counts in index.totals.items() if len(counts) == 1}
    total, counts = index.count(query, [field for field in COUNTED_FIELDS if field not in same])
    counts |= {field: {value: total} if total else {} for field, value in same.items()}
    found = {
        name: {value: pages for value, pages in counts[field].items() if value}
        for field, name in _NAMES.items()
    }
    return FacetCounts(total, found | ({"year": _count_years(index, query)} if years else {}))


def _count_years(index: Index, query: "tantivy.Query") -> dict[str, int]:
    """Count pages by the year of their date, the newest first, without empty years."""
    begins = [timegm((year, 1, 1, 0, 0, 0)) for year in range(_FIRST_YEAR, _LAST_YEAR + 1)]
    ranges = [
        {"key": str(year), "from": start, "to": end}
        for year, start, end in zip(range(_FIRST_YEAR, _LAST_YEAR), begins, begins[1:], strict=False)
    ]
    found = index.searcher.aggregate(query, {"year": {"range": {"field": "date", "ranges": ranges}}})
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in found["year"]["buckets"]}
    return {year: counts[year] for year in sorted(counts, reverse=True) if year.isdecimal() and counts[year]}
