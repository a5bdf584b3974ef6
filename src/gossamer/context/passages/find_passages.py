"""Find the passages of a web that answer a question: rank pages, cut them, score and fold the passages, and cite them."""

import time
from collections.abc import Sequence

from gossamer.context.passages.citation_link import make_link
from gossamer.context.passages.cut_passages import cut_page, find_headings
from gossamer.context.passages.fold_passages import ChosenPassage, ScoredPassage, choose_passages
from gossamer.context.passages.passage_records import (
    LONGEST_QUESTION,
    AskOptions,
    Passage,
    PassageCopy,
    Passages,
)
from gossamer.context.passages.question_words import QuestionWords
from gossamer.context.passages.score_passages import PageScorer
from gossamer.errors import BadInput
from gossamer.search.answers.answer_query import add_filters
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import parse
from gossamer.search.ranking.rerank import Hit, rank_pages
from gossamer.store.batch import Store

# With 10, 20 or 50 pages, the same questions were answered. More are read only if these have too few different passages.
_PAGES_AT_ONCE, _MOST_PAGES = 10, 50
_MOST_COPIES = 10
_LANGUAGES_NAMED = 8


def find_passages(
    index: Index, question: str, options: AskOptions | None = None, store: Store | None = None
) -> Passages:
    """Return the passages of an index that answer a question best, the best first.

    Cost: ranking pages, and O(characters) of what is stored of the best twenty.
    """
    options = options or AskOptions()
    began_s = time.perf_counter()
    _check_question(question)
    only = _list_filters(index, options)
    if options.whole is not None:
        index = index.with_statistics(options.whole)
    parsed = parse(question)
    query = CompiledQuery(add_filters(parsed, only), index, store=store)
    words = QuestionWords(index, query, parsed)
    hits = rank_pages(index, query, _MOST_PAGES)[:_MOST_PAGES]
    chosen, pages = _read_pages(index, words, hits, options)
    notes = query.notes if chosen else [*query.notes, "No page of this collection has these words."]
    return Passages(
        question=question,
        passages=tuple(_cite_passage(rank, one) for rank, one in enumerate(chosen, 1)),
        pages=pages,
        notes=tuple(notes),
        took_s=time.perf_counter() - began_s,
    )


def _check_question(question: str) -> None:
    if not question.strip():
        raise BadInput("the question is empty")
    if len(question) > LONGEST_QUESTION:
        raise BadInput(
            f"the question has {len(question):,} characters; it may have at most {LONGEST_QUESTION:,}"
        )


def _list_filters(index: Index, options: AskOptions) -> dict[str, str]:
    """Return the fields of the query language that limit the pages; raise BadInput for a language that no page has."""
    language = options.language.strip().lower()
    known = [code for code in index.totals["language"] if code]
    if language and language not in known:
        names = ", ".join(known[:_LANGUAGES_NAMED]) or "none that is known"
        raise BadInput(
            f"no page of this collection is in the language {language!r}; its languages are {names}"
        )
    only = {"language": language, "site": options.site.strip()}
    return {name: value for name, value in only.items() if value}


def _read_pages(
    index: Index, words: QuestionWords, hits: Sequence[Hit], options: AskOptions
) -> tuple[list[ChosenPassage], int]:
    """Return the best passages of the best pages, and how many pages were read for them."""
    scored: list[ScoredPassage] = []
    chosen: list[ChosenPassage] = []
    read = 0
    while read < len(hits) and len(chosen) < options.passages:
        for hit in hits[read : read + _PAGES_AT_ONCE]:
            scored += _score_page(index, words, hit, options.words)
        read = min(len(hits), read + _PAGES_AT_ONCE)
        chosen = choose_passages(scored, options.passages)
    return chosen, read


def _score_page(index: Index, words: QuestionWords, hit: Hit, most_words: int) -> list[ScoredPassage]:
    page = index.load_page(hit.place)
    scorer = PageScorer(words, page, hit.score)
    places = [begin for begin, _, _ in scorer.matches]
    return [
        ScoredPassage(scorer.score(one), hit.page, page, one, scorer)
        for one in cut_page(page, places, most_words)
    ]


def _cite_passage(rank: int, chosen: ChosenPassage) -> Passage:
    best, page = chosen.best, chosen.best.source
    part = page.find_part(best.candidate.begin)
    return Passage(
        rank=rank,
        score=best.score,
        text=best.text,
        marks=best.scorer.list_marks(best.candidate),
        url=page.url,
        link=make_link(page.url, best.text, part),
        title=page.title,
        headings=find_headings(page.sections, best.candidate.section),
        part=part,
        offset=best.candidate.begin,
        site=page.site,
        language=page.language,
        type=page.kind,
        date_s=page.date_s,
        id=best.page,
        archive=page.archive,
        copies=tuple(
            PassageCopy(copy.source.url, copy.source.title) for copy in chosen.copies[:_MOST_COPIES]
        ),
    )
