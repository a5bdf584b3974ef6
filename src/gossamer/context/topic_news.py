"""New pages of a topic: those that were first fetched since a moment and are about it, as a list and as a feed."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from gossamer.context.write_feed import FeedEntry, name_entry, render_feed
from gossamer.crawl.from_archive.topic_examples import TopicExamples
from gossamer.errors import BadInput
from gossamer.records import Page
from gossamer.store.batch import Store
from gossamer.text.topics.topic_model import TopicModel

MOST_READ = 20_000
"""So many new pages are scored at most, the latest ones."""
EVEN_ODDS = 0.5
_AGE = re.compile(r"(\d{1,4})([hdw])")
_SECONDS = {"h": 3_600.0, "d": 86_400.0, "w": 604_800.0}


class TopicWeb(Protocol):
    """The part of a web that is needed here."""

    folder: Path

    @property
    def store(self) -> Store:
        """The store of its pages."""
        ...


class NewPage(msgspec.Struct, frozen=True):
    """A new page that is about a topic."""

    url: str
    title: str
    relevance: float
    """The probability that it is about the topic."""
    found_s: float
    """When it was first fetched."""


def parse_age(text: str) -> float:
    """Return an age such as 12h, 7d or 4w in seconds."""
    found = _AGE.fullmatch(text.strip().lower())
    if found is None or not int(found[1]):
        raise BadInput(f"--since is an age such as 12h, 7d or 4w, not {text!r}")
    return int(found[1]) * _SECONDS[found[2]]


def find_new_pages(
    web: TopicWeb, model: TopicModel, since_s: float, relevant: float = EVEN_ODDS, most_read: int = MOST_READ
) -> list[NewPage]:
    """Return the pages that were first fetched since a moment and are about a topic, the newest first.

    Cost: a pass over the pages of the store, and reading those that are new.
    """
    fetched = deque((page for page in web.store.pages() if page.fetched_s >= since_s), maxlen=most_read)
    examples = TopicExamples(web.store, web.folder / "archive")
    found = []
    for page, first_s in _select_new(web.store, list(fetched), since_s):
        example = examples.read_page(page)
        relevance = model.relevance_many([example])[0] if example is not None else 0.0
        if relevance >= relevant:
            found.append(NewPage(page.url, page.title, round(float(relevance), 4), first_s))
    return sorted(found, key=lambda one: (-one.found_s, one.url))


def _select_new(store: Store, pages: Sequence[Page], since_s: float) -> Iterator[tuple[Page, float]]:
    """Yield the pages whose first visit was since a moment, with its time: a recrawl makes no page new."""
    visits = store.visits_of_pages(page.id for page in pages)
    for page in pages:
        first_s = min(
            (one.when_s for one in visits.get(page.id, ()) if one.result == "fetched"), default=page.fetched_s
        )
        if first_s >= since_s:
            yield page, first_s


def render_topic_feed(name: str, pages: Sequence[NewPage], about: str) -> str:
    """Return new pages of a topic as an Atom feed; `about` identifies the web."""
    entries = [
        FeedEntry(
            name_entry("page", name, about, page.url),
            page.title or page.url,
            page.found_s,
            f"New page about {name}, with a probability of {page.relevance:.2f}.",
            page.url,
        )
        for page in pages
    ]
    return render_feed(f"New pages about {name}", f"topic {name} {about}", entries)
