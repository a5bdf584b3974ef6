"""How many of the pages that a query finds are of each year."""

from calendar import timegm

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index

# No page of the web is older, and none says a date that has not come yet.
_FIRST, _LAST = 1990, 2100


def counts_by_year(index: Index, query: "tantivy.Query") -> dict[str, int]:
    """Count pages by the year that they are dated, the newest year first; years without any are left out."""
    begins = [timegm((year, 1, 1, 0, 0, 0)) for year in range(_FIRST, _LAST + 1)]
    ranges = [
        {"key": str(year), "from": start, "to": end}
        for year, start, end in zip(range(_FIRST, _LAST), begins, begins[1:], strict=False)
    ]
    told = index.searcher.aggregate(query, {"year": {"range": {"field": "date", "ranges": ranges}}})
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in told["year"]["buckets"]}
    return {year: counts[year] for year in sorted(counts, reverse=True) if year.isdecimal() and counts[year]}
