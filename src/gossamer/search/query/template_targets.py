"""Find the pages to which the template of a host links: home page, licence, imprint, sections.

A link that most pages of a host carry says nothing about the page that carries it, so it does not make two pages alike. This asks the
index for a sample of a host's pages and counts their links. It is the one place where search decides which links belong to a
template: a recogniser that reads all links of a web can take its place.
"""

from collections import Counter
from collections.abc import Iterable

from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import NAMING_TYPES
from gossamer.store.batch import Store

_SAMPLE = 30
# With fewer pages, a link on most of them may be chance.
_FEWEST_PAGES = 8
_SHARE = 0.5
_ID_BITS = 64


def find_template_targets(index: Index, store: Store, hosts: Iterable[str]) -> set[int]:
    """Return the targets to which at least half of the pages of one of these hosts link.

    Cost: the links of at most 30 pages of each host are read.
    """
    found: set[int] = set()
    for host in hosts:
        pages = _draw_pages(index, host)
        if len(pages) < _FEWEST_PAGES:
            continue
        counts: Counter[int] = Counter()
        for page in pages:
            links = store.links_from(page)
            counts.update(
                {link.target for link in links if link.type in NAMING_TYPES and link.target != page}
            )
        # A page does not link to itself, so its template has one link fewer there.
        least = max(_SHARE * len(pages) - 1, 2)
        found.update(target for target, times in counts.items() if times > least)
    return found


def _draw_pages(index: Index, host: str) -> list[int]:
    """Return the ids of some pages of a host, spread over all of it: ids are fingerprints, and a range of them is a random part."""
    every = index.count_pages("host", host)
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
