"""Group what a query found: cluster the best answers, and count how many of all pages have the words of each label."""

import time
from collections.abc import Iterable, Sequence

import msgspec

from gossamer.search.answers.answer_query import MOST_HITS, add_filters, search
from gossamer.search.answers.answer_records import Answer, Answers, SearchOptions
from gossamer.search.clusters.cluster_answers import cluster_answers
from gossamer.search.clusters.cluster_records import (
    AnswerText,
    GroupedAnswers,
    LabelledGroup,
    ShownAnswer,
    TermSample,
)
from gossamer.search.clusters.sample_terms import sample_terms
from gossamer.search.index.search_index import Index
from gossamer.search.query.compile_query import CompiledQuery
from gossamer.search.query.parse_query import BooleanGroup, Query, parse
from gossamer.store.batch import Store

_BEST = 3


def search_and_group(
    index: Index, text: str, options: SearchOptions, store: Store | None = None
) -> tuple[Answers, GroupedAnswers]:
    """Answer a query with its best thousand answers, and group them; the page and the size of `options` are ignored.

    Cost: a search, a snippet for each answer, 0.2 s for 1,000 answers, and a count of pages for each group.
    """
    began_s = time.perf_counter()
    found = search(index, text, msgspec.structs.replace(options, page=1, size=MOST_HITS), store)
    grouped = group_found(found, sample_terms(index) if found.answers else None)
    groups = tuple(
        msgspec.structs.replace(group, pages=_count_label(index, text, group.label, options, store))
        for group in grouped.groups
    )
    return found, msgspec.structs.replace(grouped, groups=groups, took_s=time.perf_counter() - began_s)


def group_found(found: Answers, sample: TermSample | None) -> GroupedAnswers:
    """Group answers by what they show; `sample` is the collection that has them."""
    texts = [AnswerText(one.title, one.snippet.text, one.url, one.language) for one in found.answers]
    clusters = cluster_answers(texts, found.query, sample)
    return GroupedAnswers(
        query=found.query,
        total=found.total,
        grouped=len(texts),
        groups=_sort_groups(
            LabelledGroup(
                label=group.label,
                count=len(group.answers),
                best=_show_best([found.answers[at] for at in group.answers]),
                ranks=tuple(found.answers[at].rank for at in group.answers),
            )
            for group in clusters.groups
        ),
        rest=tuple(found.answers[at].rank for at in clusters.rest),
        notes=found.notes,
        took_s=found.took_s,
    )


def _sort_groups(groups: Iterable[LabelledGroup]) -> tuple[LabelledGroup, ...]:
    """Return the largest groups first, and of equal ones the one with the better answer."""
    return tuple(sorted(groups, key=lambda group: (-group.count, group.ranks)))


def _show_best(answers: Sequence[Answer]) -> tuple[ShownAnswer, ...]:
    return tuple(ShownAnswer(one.rank, one.url, one.title) for one in answers[:_BEST])


def _count_label(index: Index, text: str, label: str, options: SearchOptions, store: Store | None) -> int:
    """Count all pages found that have the words of a label beside each other, near copies included."""
    asked = add_filters(parse(text), options.only)
    both = BooleanGroup((asked.root, parse(f'"{label}"').root), (), ())
    query = CompiledQuery(Query(both, asked.notes), index, options.language, store)
    return int(index.searcher.search(query.query, limit=1, count=True).count)
