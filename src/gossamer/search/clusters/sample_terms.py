"""Sample the pages of an index as answers would show them: words that are everywhere are frequent there, too."""

from collections import Counter
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from gossamer.search.answers.snippets import WIDTH
from gossamer.search.clusters.cluster_records import AnswerText, TermSample
from gossamer.search.clusters.read_answer import read_answer
from gossamer.search.engine import tantivy
from gossamer.search.index.checked_searcher import CheckedSearcher
from gossamer.search.index.search_index import Index

_PAGES = 2_000
"""How many pages are read. Page counts of the index would be of whole texts, in which every word is ten times as frequent."""
_MARGIN = 1.2
_samples: WeakKeyDictionary[CheckedSearcher, TermSample] = WeakKeyDictionary()


def sample_terms(index: Index) -> TermSample:
    """Return the words of some pages of an index: title, address and the first sentences. Cost: 0.2 s after each commit."""
    found = _samples.get(index.searcher)
    if found is None:
        found = _samples[index.searcher] = _sample_pages(index)
    return found


def join_samples(samples: Sequence[TermSample]) -> TermSample | None:
    """Return several collections as one; None if there are none."""
    counts: Counter[str] = Counter()
    for one in samples:
        counts.update(one.counts)
    return TermSample(sum(one.pages for one in samples), counts) if samples else None


def count_terms(texts: Sequence[AnswerText]) -> TermSample:
    """Return some texts as a collection."""
    return TermSample(len(texts), Counter(term for text in texts for term in read_answer(text).counts))


def _sample_pages(index: Index) -> TermSample:
    # The id of a page is a hash of its address: a range of ids is a random sample.
    share = min(1.0, _MARGIN * _PAGES / max(1, index.own_pages))
    last = min(2**63 - 1, int(2**64 * share) - 2**63)
    query = tantivy.Query.range_query(index.schema, "id", tantivy.FieldType.Integer, -(2**63), last)
    pages = (
        index.load_page(place) for _, place in index.searcher.search(query, limit=_PAGES, count=False).hits
    )
    return count_terms([AnswerText(one.title, one.text[:WIDTH], one.url, one.language) for one in pages])
