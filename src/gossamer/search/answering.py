"""Answers: the pages that a query finds, the best first, each with what a reader wants to see of it."""

import time
from collections.abc import Mapping, Sequence

import msgspec

from gossamer.search.answers import Answer, Answers, Copy, Wish
from gossamer.search.clauses import Asked
from gossamer.search.engine import tantivy
from gossamer.search.explaining import parts_of
from gossamer.search.feedback import widened
from gossamer.search.folding import folded
from gossamer.search.index import COUNTED_FIELDS, Index
from gossamer.search.query import FIELDS, Field, Group, Query, parse
from gossamer.search.related import PAGES, link_names, related_terms
from gossamer.search.snippets import Marker
from gossamer.search.spelling import suggestion
from gossamer.search.standing import RANK_OF_AVERAGE
from gossamer.search.years import counts_by_year
from gossamer.store.batch import Store

MOST_HITS = 1_000
"""Nobody reads further; near copies are looked for among these."""
_SPARE_HITS = 20
_FEW_ANSWERS = 3
_COUNTED_AS = {"language": "language", "site": "site", "kind": "type"}


class _Found(msgspec.Struct, frozen=True):
    """What the engine found: scores and places, the best first, and how many there are altogether."""

    hits: "Sequence[tuple[float, tantivy.DocAddress]]"
    total: int


def search(index: Index, text: str, wish: Wish | None = None, store: Store | None = None) -> Answers:
    """Answer a query. Never raises on what was asked: what makes no sense is left out, and a note says so.

    `link:`, `related:` and names of links need the store of the web that the index is of.
    """
    wish = wish or Wish()
    began_s = time.perf_counter()
    asked = Asked(_narrowed(parse(text), wish.only), index, wish.language, store)
    found = _found(index, asked, wish)
    groups = _groups(index, found, wish)
    first = (wish.page - 1) * wish.size
    answers = _answers(index, asked, found, groups[first : first + wish.size], first, wish)
    best = [found.hits[group[0]][1] for group in groups[:PAGES]] if wish.related else []
    return Answers(
        query=text,
        total=found.total,
        page=wish.page,
        answers=answers,
        counts=_counts(index, asked, wish),
        more=len(groups) > first + wish.size,
        suggestion=suggestion(text, asked, index) if found.total < _FEW_ANSWERS else "",
        related_terms=related_terms(index, asked, best),
        link_names=link_names(index, store, index.numbers("id", best)) if best and store is not None else (),
        notes=tuple(asked.notes),
        took_s=time.perf_counter() - began_s,
    )


def _counts(index: Index, asked: Asked, wish: Wish) -> dict[str, dict[str, int]]:
    counts = index.counts(asked.query, COUNTED_FIELDS)
    by_year = {"year": counts_by_year(index, asked.query)} if wish.years else {}
    return {_COUNTED_AS[field]: counts[field] for field in COUNTED_FIELDS} | by_year


def pages_found(index: Index, text: str, most: int = MOST_HITS, store: Store | None = None) -> list[int]:
    """Return the ids of the pages that a query finds, the best first: a set for those who only want pages."""
    query = Asked(parse(text), index, store=store).query
    hits = index.searcher.search(query, limit=max(1, most), count=False).hits
    return index.numbers("id", [place for _, place in hits])


def _narrowed(query: Query, only: Mapping[str, str]) -> Query:
    """Return a query that asks for some fields as well, as if they stood in it."""
    root = query.root
    fields = tuple(Field(name, value) for name, value in only.items() if name in FIELDS)
    return Query(Group((*root.must, *fields), root.should, root.must_not), query.notes)


def _found(index: Index, asked: Asked, wish: Wish) -> _Found:
    query = widened(index, asked.query, len(asked.words)) if wish.feedback else asked.query
    limit = min(MOST_HITS, 2 * wish.page * wish.size + _SPARE_HITS)
    result = index.searcher.search(query, limit=limit)
    return _Found(result.hits, int(result.count))  # type: ignore[attr-defined]  # the stub leaves it out


def _groups(index: Index, found: _Found, wish: Wish) -> list[list[int]]:
    """Return places among the hits, near copies together."""
    if not wish.fold:
        return [[place] for place in range(len(found.hits))]
    places = [place for _, place in found.hits]
    return folded(index.numbers("simhash", places), index.numbers("length", places))


def _answers(
    index: Index, asked: Asked, found: _Found, groups: list[list[int]], first: int, wish: Wish
) -> tuple[Answer, ...]:
    places = [found.hits[group[0]][1] for group in groups]
    numbers = [index.numbers(name, places) for name in ("id", "rank", "in_links")]
    texts = asked.around.text_scores(numbers[0])
    marker = Marker(asked.telling(), asked.languages)
    answers = []
    for at, (group, (page_id, rank, in_links)) in enumerate(
        zip(groups, zip(*numbers, strict=True), strict=True)
    ):
        page = index.shown(places[at])
        copies = [index.shown(found.hits[other][1]) for other in group[1:]]
        answers.append(
            Answer(
                rank=first + at + 1,
                score=found.hits[group[0]][0],
                id=page_id,
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
                link_texts=asked.around.link_texts.get(page_id, ()),
                similar=asked.around.similar(page_id, texts),
                parts=parts_of(index, asked, places[at]) if wish.explain else (),
            )
        )
    return tuple(answers)
