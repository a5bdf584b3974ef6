"""Ask several webs on this machine one question: each by the rarity of words in all of them, and their passages become one list."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from gossamer.broker.broker import Broker
from gossamer.broker.local_source import LocalSource
from gossamer.context.passages.fold_passages import are_near_copies, list_pairs
from gossamer.context.passages.passage_records import Passage, PassageCopy, Passages, read_options
from gossamer.errors import GossamerError, StoreFailed
from gossamer.search.answers.web_statistics import WebStatistics, merge_languages, merge_statistics
from gossamer.search.index.whole_statistics import WholeStatistics


def ask_webs(broker: Broker, question: str, **wish: Any) -> Passages:
    """Return the best passages of all webs on this machine; the options are those of `Web.ask`.

    A web that gives no passages is named in a note. Raises BadInput or StoreFailed if none can be asked.
    """
    began_s = time.perf_counter()
    options = read_options(wish)
    local = [source for source in broker.sources if isinstance(source, LocalSource)]
    notes = [
        f"{source.name} was left out: passages are taken from webs on this machine only."
        for source in broker.sources
        if source not in local
    ]
    shared = msgspec.structs.replace(options, whole=_join_statistics(local, question))
    found: dict[str, Passages] = {}
    failures: list[GossamerError] = []
    for source in local:
        try:
            found[source.name] = source.get_web().ask(question, **msgspec.structs.asdict(shared))
        except GossamerError as error:
            failures.append(error)
            notes.append(f"{source.name} was left out: {str(error).rstrip('.')}.")
    if not found:
        raise failures[0] if failures else StoreFailed(f"no web can be asked: {' '.join(notes)}")
    passages = [
        msgspec.structs.replace(passage, origin=name)
        for name, one in found.items()
        for passage in one.passages
    ]
    return Passages(
        question=question,
        passages=_merge_passages(passages, options.passages),
        pages=sum(one.pages for one in found.values()),
        notes=tuple(notes if passages else [*notes, "No page of these collections has these words."]),
        took_s=time.perf_counter() - began_s,
    )


def _join_statistics(local: Sequence[LocalSource], question: str) -> WholeStatistics:
    """Return how rare the words of a question are in all webs together."""
    known = _describe(local, "", ())
    languages = merge_languages(known) if known else ("",)
    return merge_statistics(_describe(local, question, languages), languages)


def _describe(local: Sequence[LocalSource], question: str, languages: tuple[str, ...]) -> list[WebStatistics]:
    told = [source.describe(question, languages) for source in local]
    return [one for one in told if isinstance(one, WebStatistics)]


def _merge_passages(found: list[Passage], most: int) -> tuple[Passage, ...]:
    """Return the best passages of all webs, near copies of one another as one."""
    merged: list[Passage] = []
    for one in sorted(found, key=lambda passage: -passage.score):
        pairs = list_pairs(one.text)
        for at, other in enumerate(merged):
            if are_near_copies(pairs, list_pairs(other.text)):
                copies = (*other.copies, PassageCopy(one.url, one.title), *one.copies)
                merged[at] = msgspec.structs.replace(other, copies=copies)
                break
        else:
            merged.append(one)
    return tuple(msgspec.structs.replace(passage, rank=rank) for rank, passage in enumerate(merged[:most], 1))
