"""Find the pages to which the template of a host links: home page, licence, imprint, sections.

A link that a template repeats says nothing about the page that carries it, so it does not make two pages alike. This asks the
index for a sample of a host's pages; the links of the sample are judged as `graph/templates` judges those of a web. Marking all links of
the web would take a microsecond each, and again after every visit.
"""

from collections.abc import Iterable

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.store.batch import Store
from gossamer.store.links.template_marks import read_template_targets

_SAMPLE = 30
_ID_BITS = 64


def find_template_targets(index: Index, store: Store, hosts: Iterable[str]) -> set[int]:
    """Return the pages to which the templates of these hosts link.

    Cost: the links of at most 30 pages of each host are read.
    """
    return set().union(*(read_template_targets(store, _draw_pages(index, host)) for host in hosts))


def _draw_pages(index: Index, host: str) -> list[int]:
    """Return the ids of some pages of a host, spread over all of it: ids are fingerprints, and a range of them is a random part."""
    every = index.count_own_pages("host", host)
    conditions = [tantivy.Query.term_query(index.schema, "host", host)]
    if every > _SAMPLE:
        lowest = -(1 << _ID_BITS - 1)
        width = (1 << _ID_BITS) * _SAMPLE // every
        conditions.append(_match_ids_between(index, lowest, lowest + width))
    query = tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in conditions])
    hits = index.searcher.search(tantivy.Query.const_score_query(query, 0.0), limit=_SAMPLE, count=False).hits
    return index.read_numbers("id", [place for _, place in hits])


def _match_ids_between(index: Index, least: int, most: int) -> "tantivy.Query":
    return tantivy.Query.range_query(index.schema, "id", tantivy.FieldType.Integer, least, most)
