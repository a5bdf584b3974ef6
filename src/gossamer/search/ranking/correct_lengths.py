"""Correct scores for the average length of pages in several webs together.

The engine compares the length of a page with the average of its own index. A web of short notes would call a page long that is
short among the pages of an encyclopedia, and its score could not be compared with theirs.
"""

import re
from collections.abc import Sequence

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.index.whole_statistics import compute_idf
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.filters import match_any
from gossamer.search.query.typical_terms import count_terms

LENGTH_FIELD = "words"
"""The field whose average length counts."""
_K1, _B = 1.2, 0.75  # as the engine has them
# Then no score changes by more than a hundredth.
_LEAST_DIFFERENCE = 0.03
# A page may have no text, and the index knows words only by their terms.
_TRIED_PAGES = 20
_TRIED_TERMS = 20
# The engine explains a score as text only: for each term its frequency, the length of the page, the average, and the term.
_NUMBER = re.compile(r'"value": ([0-9.]+),\s+"description": "(?:freq|dl|avgdl),')
_TERM = re.compile(r'type=Str, \\"(.*?)\\"\)"')


def correct_lengths(
    index: Index, query: CompiledQuery, places: "Sequence[tantivy.DocAddress]"
) -> list[float]:
    """Return what to add to the scores of some pages, since their web has another average length than all webs together.

    Exact for words of the main text; titles and addresses are short everywhere. Cost: 50 µs a page; nothing for an index that is
    searched alone, or whose average differs by less than three hundredths.
    """
    whole = index.whole.lengths.get(LENGTH_FIELD, 0.0) if index.whole is not None else 0.0
    if not (whole and places and query.term_weights):
        return [0.0] * len(places)
    worth = {
        term: weight * (_K1 + 1) * compute_idf(index.count_pages(LENGTH_FIELD, term), index.pages)
        for term, weight in query.term_weights.items()
    }
    union = match_any([tantivy.Query.term_query(index.schema, LENGTH_FIELD, term) for term in worth])
    found = []
    for place in places:
        explained = _read_terms(index, union, place)
        if explained and abs(explained[0][2] / whole - 1) < _LEAST_DIFFERENCE:
            return [0.0] * len(places)
        found.append(
            sum(
                worth.get(term, 0.0) * (_saturate(times, length / whole) - _saturate(times, length / own))
                for times, length, own, term in explained
            )
        )
    return found


def measure_length(index: Index) -> float:
    """Return the average number of terms of a page; 0 if no page has any."""
    hits = index.searcher.search(tantivy.Query.all_query(), limit=_TRIED_PAGES, count=False).hits
    for _, place in hits:
        for term in list(count_terms(index, index.load_page(place)))[:_TRIED_TERMS]:
            explained = _read_terms(index, tantivy.Query.term_query(index.schema, LENGTH_FIELD, term), place)
            if explained:
                return explained[0][2]
    return 0.0


def _read_terms(
    index: Index, union: "tantivy.Query", place: "tantivy.DocAddress"
) -> list[tuple[float, float, float, str]]:
    """Return, for each term that a page has: how often, the length of the page, the average length, and the term."""
    try:
        explained = union.explain(index.searcher.plain, place).to_json()
    except ValueError:  # the page has none of them
        return []
    numbers = list(map(float, _NUMBER.findall(explained)))
    # Combining marks are written as escapes there: such terms stay unknown, and uncorrected.
    terms = _TERM.findall(explained)
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], terms, strict=False))


def _saturate(times: float, relative_length: float) -> float:
    return times / (times + _K1 * (1 - _B + _B * relative_length))
