"""Answer a query: find, rank and fold pages, and add snippets, counts, corrections and related terms."""

import time
from collections.abc import Mapping

from msgspec import UNSET

from gossamer.search.answers.answer_records import Answer, Answers, Fingerprint, NearCopy, SearchOptions
from gossamer.search.answers.count_facets import count_facets
from gossamer.search.answers.fold_near_copies import fold_near_copies
from gossamer.search.answers.related_terms import PAGES, find_link_names, find_related_terms
from gossamer.search.answers.snippets import Marker
from gossamer.search.answers.spelling_correction import correct_spelling
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import FIELDS, BooleanGroup, Field, Query, parse
from gossamer.search.ranking.cosine import explain_cosine, rank_by_cosine
from gossamer.search.ranking.explain_score import explain_score
from gossamer.search.ranking.rerank import Hit, rank_pages
from gossamer.store.batch import Store

MOST_HITS = 1_000
"""The last answer that can be reached; near copies are folded among these."""
_SPARE_HITS = 20
_FEW_ANSWERS = 3
_EXPLAIN = {"bm25": explain_score, "cosine": explain_cosine}


def search(
    index: Index, text: str, options: SearchOptions | None = None, store: Store | None = None
) -> Answers:
    """Answer a query. Every text is a valid query: parts that cannot be parsed are left out, and a note says so.

    `link:`, `related:` and names of links need the store of the web that was indexed.
    """
    options = options or SearchOptions()
    began_s = time.perf_counter()
    index = index.with_statistics(options.whole) if options.whole is not None else index
    query = CompiledQuery(add_filters(parse(text), options.only), index, options.language, store)
    counts = count_facets(index, query.query, options.years)
    hits = _rank_hits(index, query, options, counts.total) if counts.total else []
    groups = _group_copies(index, hits, options)
    first = (options.page - 1) * options.size
    answers = _make_answers(
        index, query, hits, groups[first : first + options.size], first=first, options=options
    )
    best = [hits[group[0]] for group in groups[:PAGES]] if options.related else []
    return Answers(
        query=text,
        total=counts.total,
        page=options.page,
        answers=answers,
        counts=counts.by,
        more=len(groups) > first + options.size,
        pages=_count_answer_pages(len(groups), len(hits), counts.total, options),
        suggestion=correct_spelling(text, query, index) if counts.total < _FEW_ANSWERS else "",
        related_terms=find_related_terms(index, query, [hit.place for hit in best]) if best else (),
        link_names=find_link_names(index, store, [hit.page for hit in best])
        if best and store is not None
        else (),
        notes=tuple(query.notes),
        took_s=time.perf_counter() - began_s,
    )


def make_marker(index: Index, text: str) -> Marker:
    """Return what finds the words of a query in texts."""
    query = CompiledQuery(parse(text), index)
    return Marker(query.list_distinctive_words(), query.languages)


def find_pages(index: Index, text: str, most: int = MOST_HITS, store: Store | None = None) -> list[int]:
    """Return the ids of the pages that a query finds, the best first."""
    hits = rank_pages(index, CompiledQuery(parse(text), index, store=store), max(1, most))
    return [hit.page for hit in hits[:most]]


def add_filters(query: Query, only: Mapping[str, str]) -> Query:
    """Return a query with further fields, which must match."""
    if not only:
        return query
    root = query.root
    fields = tuple(Field(name, value) for name, value in only.items() if name in FIELDS)
    return Query(BooleanGroup((*root.must, *fields), root.should, root.must_not), query.notes)


def _rank_hits(index: Index, query: CompiledQuery, options: SearchOptions, found: int) -> list[Hit]:
    """Return the best pages: more than the page of answers has, since near copies take up some of them."""
    if options.ranking == "cosine":
        return rank_by_cosine(index, query, _count_wanted(options))
    return rank_pages(index, query, _count_wanted(options), options.feedback, found)


def _count_wanted(options: SearchOptions) -> int:
    return min(MOST_HITS, 2 * options.page * options.size + _SPARE_HITS)


def _group_copies(index: Index, hits: list[Hit], options: SearchOptions) -> list[list[int]]:
    """Return the positions of the hits, those of near copies in one group."""
    if not options.fold:
        return [[place] for place in range(len(hits))]
    # Each is compared with each: for all hits that were ranked, this would take as long as a snippet.
    places = [hit.place for hit in hits[: _count_wanted(options)]]
    return fold_near_copies(index.read_numbers("simhash", places), index.read_numbers("length", places))


def _count_answer_pages(groups: int, hits: int, total: int, options: SearchOptions) -> int:
    """Return how many pages of answers there are; if not all hits were read, an estimate by the share of near copies."""
    read = min(hits, _count_wanted(options)) if options.fold else hits
    if read < min(total, _count_wanted(options)) or read >= min(total, MOST_HITS):
        return -(-groups // options.size)
    expected = min(total, MOST_HITS) * groups // max(1, read)
    return -(-max(groups, expected) // options.size)


def _make_answers(
    index: Index,
    query: CompiledQuery,
    hits: list[Hit],
    groups: list[list[int]],
    *,
    first: int,
    options: SearchOptions,
) -> tuple[Answer, ...]:
    best = [hits[group[0]] for group in groups]
    ids = [hit.page for hit in best]
    texts = query.link_queries.score_texts(ids)
    ranks = [index.look_up_ranks(name, ids) for name in ("rank", "in_links")]
    marker = Marker(query.list_distinctive_words(), query.languages)
    prints = _read_fingerprints(index, best) if options.fingerprints else ()
    answers = []
    for at, (hit, rank, in_links) in enumerate(zip(best, *ranks, strict=True)):
        page = index.load_page(hit.place)
        copies = [index.load_page(hits[other].place) for other in groups[at][1:]]
        answers.append(
            Answer(
                rank=first + at + 1,
                score=hit.score,
                id=hit.page,
                url=page.url,
                title=page.title,
                snippet=marker.make_snippet(
                    page.text, page.language, page.title, page.find_part if page.parts else None
                ),
                site=page.site,
                language=page.language,
                type=page.kind,
                date_s=page.date_s,
                depth=page.depth,
                archive=page.archive,
                static_rank=rank / RANK_OF_AVERAGE,
                in_links=in_links,
                copies=tuple(NearCopy(copy.url, copy.title) for copy in copies),
                link_texts=query.link_queries.link_texts.get(hit.page, ()),
                similar=query.link_queries.get_similarity(hit.page, texts),
                parts=_EXPLAIN[options.ranking](index, query, hit) if options.explain else (),
                fingerprint=prints[at] if prints else UNSET,
            )
        )
    return tuple(answers)


def _read_fingerprints(index: Index, hits: list[Hit]) -> list[Fingerprint]:
    places = [hit.place for hit in hits]
    numbers = (index.read_numbers(field, places) for field in ("simhash", "length"))
    return [Fingerprint(simhash, words) for simhash, words in zip(*numbers, strict=True)]
