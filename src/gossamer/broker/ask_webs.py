"""Ask several webs on this machine one question: each by the rarity of words in all of them, and their passages become one list."""

import time
from typing import Any

import msgspec

from gossamer.broker.broker import Broker
from gossamer.broker.local_source import LocalSource
from gossamer.context.passages.fold_passages import are_near_copies, list_pairs
from gossamer.context.passages.passage_records import Passage, PassageCopy, Passages, read_options
from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.search.answers.web_statistics import WebStatistics, merge_languages, merge_statistics


def ask_webs(broker: Broker, question: str, **wish: Any) -> Passages:
    """Return the best passages of all webs on this machine; the options are those of `Web.ask`.

    A web that gives no passages is named in a note. Raises StoreFailed if none can be asked.
    """
    began_s = time.perf_counter()
    options = read_options(wish)
    local = [source for source in broker.sources if isinstance(source, LocalSource)]
    notes = [
        f"{source.name} was left out: passages are taken from webs on this machine only."
        for source in broker.sources
        if source not in local
    ]
    known = [one for source in local if isinstance(one := source.describe("", ()), WebStatistics)]
    languages = merge_languages(known) if known else ("",)
    told = [one for source in local if isinstance(one := source.describe(question, languages), WebStatistics)]
    shared = msgspec.structs.replace(options, whole=merge_statistics(told, languages))
    found: list[Passage] = []
    pages, answered = 0, False
    for source in local:
        try:
            one = source.get_web().ask(question, **msgspec.structs.asdict(shared))
        except (BadInput, GossamerError) as error:
            notes.append(f"{source.name} was left out: {str(error).rstrip('.')}.")
            continue
        answered = True
        pages += one.pages
        found += [msgspec.structs.replace(passage, origin=source.name) for passage in one.passages]
    if not answered:
        raise StoreFailed("none of the webs can be asked: " + " ".join(notes))
    return Passages(
        question=question,
        passages=_merge_passages(found, options.passages),
        pages=pages,
        notes=tuple(notes if found else [*notes, "No page of these collections has these words."]),
        took_s=time.perf_counter() - began_s,
    )


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
