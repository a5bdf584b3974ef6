"""Answers: the pages that a query finds, the best first, each with what a reader wants to see of it."""

import time
from collections.abc import Mapping

from gossamer.search.answers.answer_records import Answer, Answers, Copy, Wish
from gossamer.search.answers.count_facets import counted
from gossamer.search.answers.fold_near_copies import folded
from gossamer.search.answers.related_terms import PAGES, link_names, related_terms
from gossamer.search.answers.snippets import Marker
from gossamer.search.answers.spelling_correction import suggestion
from gossamer.search.index.search_index import Index
from gossamer.search.links.static_rank import RANK_OF_AVERAGE
from gossamer.search.query.compile_query import Asked
from gossamer.search.query.parse_query import FIELDS, Field, Group, Query, parse
from gossamer.search.ranking.cosine import cosine_parts, ranked_by_cosine
from gossamer.search.ranking.explain_score import parts_of
from gossamer.search.ranking.rerank import Hit, ranked
from gossamer.store.batch import Store

MOST_HITS = 1_000
"""Nobody reads further; near copies are looked for among these."""
_SPARE_HITS = 20
_FEW_ANSWERS = 3
_PARTS = {"bm25": parts_of, "cosine": cosine_parts}


def search(index: Index, text: str, wish: Wish | None = None, store: Store | None = None) -> Answers:
    """Answer a query. Never raises on what was asked: what makes no sense is left out, and a note says so.

    `link:`, `related:` and names of links need the store of the web that the index is of.
    """
    wish = wish or Wish()
    began_s = time.perf_counter()
    asked = Asked(_narrowed(parse(text), wish.only), index, wish.language, store)
    counts = counted(index, asked.query, wish.years)
    hits = _hits(index, asked, wish, counts.total) if counts.total else []
    groups = _groups(index, hits, wish)
    first = (wish.page - 1) * wish.size
    answers = _answers(index, asked, hits, groups[first : first + wish.size], first, wish)
    best = [hits[group[0]] for group in groups[:PAGES]] if wish.related else []
    return Answers(
        query=text,
        total=counts.total,
        page=wish.page,
        answers=answers,
        counts=counts.by,
        more=len(groups) > first + wish.size,
        suggestion=suggestion(text, asked, index) if counts.total < _FEW_ANSWERS else "",
        related_terms=related_terms(index, asked, [hit.place for hit in best]) if best else (),
        link_names=link_names(index, store, [hit.page for hit in best]) if best and store is not None else (),
        notes=tuple(asked.notes),
        took_s=time.perf_counter() - began_s,
    )


def pages_found(index: Index, text: str, most: int = MOST_HITS, store: Store | None = None) -> list[int]:
    """Return the ids of the pages that a query finds, the best first: a set for those who only want pages."""
    hits = ranked(index, Asked(parse(text), index, store=store), max(1, most))
    return [hit.page for hit in hits[:most]]


def _narrowed(query: Query, only: Mapping[str, str]) -> Query:
    """Return a query that asks for some fields as well, as if they stood in it."""
    if not only:
        return query
    root = query.root
    fields = tuple(Field(name, value) for name, value in only.items() if name in FIELDS)
    return Query(Group((*root.must, *fields), root.should, root.must_not), query.notes)


def _hits(index: Index, asked: Asked, wish: Wish, found: int) -> list[Hit]:
    """Return the best pages, as many as the page of answers may need: near copies take up some of them."""
    if wish.ranking == "cosine":
        return ranked_by_cosine(index, asked, _wanted(wish))
    return ranked(index, asked, _wanted(wish), wish.feedback, found)


def _wanted(wish: Wish) -> int:
    return min(MOST_HITS, 2 * wish.page * wish.size + _SPARE_HITS)


def _groups(index: Index, hits: list[Hit], wish: Wish) -> list[list[int]]:
    """Return places among the hits, near copies together."""
    if not wish.fold:
        return [[place] for place in range(len(hits))]
    # Comparing each with each, all that were ranked would take as long as a snippet.
    places = [hit.place for hit in hits[: _wanted(wish)]]
    return folded(index.numbers("simhash", places), index.numbers("length", places))


def _answers(
    index: Index, asked: Asked, hits: list[Hit], groups: list[list[int]], first: int, wish: Wish
) -> tuple[Answer, ...]:
    chosen = [hits[group[0]] for group in groups]
    ids = [hit.page for hit in chosen]
    texts = asked.around.text_scores(ids)
    standing = [index.standing(name, ids) for name in ("rank", "in_links")]
    marker = Marker(asked.telling(), asked.languages)
    answers = []
    for at, (hit, rank, in_links) in enumerate(zip(chosen, *standing, strict=True)):
        page = index.shown(hit.place)
        copies = [index.shown(hits[other].place) for other in groups[at][1:]]
        answers.append(
            Answer(
                rank=first + at + 1,
                score=hit.score,
                id=hit.page,
                url=page.url,
                title=page.title,
                snippet=marker.snippet(page.text, page.language),
                site=page.site,
                language=page.language,
                type=page.kind,
                date_s=page.date_s,
                depth=page.depth,
                archive=page.archive,
                static_rank=rank / RANK_OF_AVERAGE,
                in_links=in_links,
                copies=tuple(Copy(copy.url, copy.title) for copy in copies),
                link_texts=asked.around.link_texts.get(hit.page, ()),
                similar=asked.around.similar(hit.page, texts),
                parts=_PARTS[wish.ranking](index, asked, hit) if wish.explain else (),
            )
        )
    return tuple(answers)
