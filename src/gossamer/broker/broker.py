"""Broker: search several webs at once, on this machine, in databases or at other servers.

Each web is asked twice. First all of them say how rare the words of the query are there; then each ranks its pages by the rarity
in all webs together, as one index of all pages would. Source: the brokers of Harvest (Bowman et al. 1994; Stein 1997, section 3.1).
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from gossamer.broker.local_source import LocalSource
from gossamer.broker.merge_answers import WebAnswers, merge_answers
from gossamer.broker.remote_source import RemoteSource
from gossamer.broker.server_client import WAIT_S, ServerClient
from gossamer.broker.web_source import SEVERAL, SourceQuery, Unavailable, WebSource
from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.search.answers.answer_query import MOST_HITS
from gossamer.search.answers.answer_records import Answers, Origin, read_options
from gossamer.search.answers.example_queries import ExampleQueries
from gossamer.search.answers.web_statistics import WebStatistics, merge_languages, merge_statistics
from gossamer.search.clusters.cluster_records import GroupedAnswers, TermSample
from gossamer.search.clusters.group_found import group_found
from gossamer.search.clusters.sample_terms import join_samples
from gossamer.store.opening.web_location import resolve_web
from gossamer.web import Web

# Near copies of other webs take up some of the answers.
_SPARE = 5
_MOST_SUGGESTIONS = 8
_GROUPED_FROM_SERVERS = 100
MOST_HOPS = 2
"""How many servers pass a query on: two that name each other would do so for ever."""
MOST_WEBS = 32
_FEEDBACK_NOTE = "Feedback was left out: it needs the best pages of all webs in one index."

Result = TypeVar("Result")


class Broker:
    """Several webs that are searched as one. Serves one query at a time."""

    def __init__(self, sources: Sequence[WebSource], client: ServerClient | None = None) -> None:
        self.sources = list(sources)
        self._client = client
        self._languages: tuple[str, ...] = ()
        """The largest languages of all webs, as they said last."""
        self._threads = ThreadPoolExecutor(max(1, len(self.sources)), thread_name_prefix="broker")

    def __enter__(self) -> "Broker":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all webs."""
        self._threads.shutdown()
        for source in self.sources:
            source.close()
        if self._client is not None:
            self._client.close()

    def search(self, query: str, origin: str = "", hops: int = 0, **wish: Any) -> Answers:
        """Answer a query from all webs, or from the one called `origin`; other options are those of `Web.search`.

        A web that gives no answer is named in a note. Raises StoreFailed if none gives any.
        """
        began_s = time.perf_counter()
        wished = read_options(wish)
        # Each web would learn from its own best pages: worse than no feedback at all (decision 36).
        options = msgspec.structs.replace(wished, feedback=False)
        sources = self._select_sources(origin, hops)
        languages = (options.language,) if options.language else self._find_languages()
        told = self._describe(sources, query, languages)
        known = {name: one for name, one in told.items() if isinstance(one, WebStatistics)}
        alike = _select_alike(known)
        size = min(MOST_HITS, options.page * options.size + _SPARE)
        plain = msgspec.structs.replace(options, page=1, size=size, fingerprints=True)
        shared = msgspec.structs.replace(plain, whole=merge_statistics(list(alike.values()), languages))

        def ask(source: WebSource) -> Answers | Unavailable:
            said = told[source.name]
            if isinstance(said, Unavailable) and not said.is_missing:
                return said
            chosen = shared if source.name in alike else plain
            return source.search(SourceQuery(query, chosen, hops, known.get(source.name)))

        found = self._ask_each(sources, ask)
        origins = [
            _make_origin(source, known.get(source.name), one)
            for source, one in zip(sources, found, strict=True)
        ]
        webs = [
            WebAnswers(origin, one, comparable=origin.name in alike, asked=size)
            for origin, one in zip(origins, found, strict=True)
            if isinstance(one, Answers)
        ]
        notes = _write_notes(origins, alike)
        notes += [_FEEDBACK_NOTE] if wished.feedback else []
        if not webs:
            raise StoreFailed("none of the webs can be searched: " + "; ".join(notes))
        merged = merge_answers(query, webs, options)
        return msgspec.structs.replace(
            merged,
            notes=(*merged.notes, *notes),
            origins=tuple(origins),
            took_s=time.perf_counter() - began_s,
        )

    def search_and_group(
        self, query: str, origin: str = "", hops: int = 0, **wish: Any
    ) -> tuple[Answers, GroupedAnswers]:
        """Return the best answers to a query from all webs, and their groups: a thousand, or a hundred if other servers are asked."""
        # A server gives a hundred answers at a time, and each hundred is another wait.
        size = _GROUPED_FROM_SERVERS if any(one.address for one in self.sources) else MOST_HITS
        found = self.search(query, origin, hops, **{**wish, "page": 1, "size": size})
        return found, group_found(found, join_samples(list(self._list_samples())))

    def cluster_answers(self, query: str, **wish: Any) -> GroupedAnswers:
        """Group the best answers to a query by words that occur together; the options are those of `search`."""
        return self.search_and_group(query, **wish)[1]

    def _list_samples(self) -> Iterator[TermSample]:
        """Yield samples of the webs on this machine that can be read, by which words are weighed."""
        for source in self.sources:
            if isinstance(source, LocalSource):
                with suppress(GossamerError):
                    yield source.get_web().sample_terms()

    def suggestions(self, typed: str) -> list[str]:
        """Return completions for a query that is being typed, from all webs in turn."""
        found = self._ask_each(self.sources, lambda source: source.suggest(typed))
        by_rank = (one for rank in zip_longest(*found) for one in rank if one)
        together: dict[str, str] = {}
        for one in by_rank:
            together.setdefault(one.lower(), one)
        return list(together.values())[:_MOST_SUGGESTIONS]

    def pages_indexed(self) -> int:
        """Return how many pages all webs have indexed that can be searched now."""
        return sum(one.pages for one in self.describe_webs().values())

    def describe_webs(self) -> dict[str, WebStatistics]:
        """Return what each web that can be searched now says about itself, by name."""
        told = self._ask_each(self.sources, lambda source: source.describe("", ()))
        named = zip(self.sources, told, strict=True)
        return {source.name: one for source, one in named if isinstance(one, WebStatistics)}

    def get_web(self, name: str) -> Web:
        """Return one of the webs on this machine."""
        for source in self.sources:
            if isinstance(source, LocalSource) and source.name == name:
                return source.get_web()
        raise BadInput(f"there is no web called {name} on this machine")

    def list_local_webs(self) -> Iterator[Web]:
        """Yield the webs on this machine that can be opened."""
        for source in self.sources:
            if isinstance(source, LocalSource):
                with suppress(GossamerError):
                    yield source.get_web()

    def example_queries(self) -> ExampleQueries:
        """Return words and names of the first web on this machine that has an index; else fixed ones."""
        for source in self.sources:
            if isinstance(source, LocalSource):
                try:
                    return source.get_web().example_queries()
                except GossamerError:
                    continue
        return ExampleQueries()

    def _select_sources(self, origin: str, hops: int) -> list[WebSource]:
        """Return the webs to ask: the one that is named, or all; only own ones for a query that came a long way."""
        found = [source for source in self.sources if not origin or source.name == origin]
        if not found:
            names = ", ".join(source.name for source in self.sources)
            raise BadInput(f"there is no web called {origin}; there are {names}")
        if hops < MOST_HOPS:
            return found
        near = [source for source in found if not source.address]
        if not near:
            raise BadInput("this query was passed on too often: two servers may name each other as webs")
        return near

    def _find_languages(self) -> tuple[str, ...]:
        """Return the largest languages of all webs, in which the words of a query are looked up."""
        if not self._languages and (known := list(self.describe_webs().values())):
            self._languages = merge_languages(known)
        return self._languages or ("",)

    def _describe(
        self, sources: Sequence[WebSource], query: str, languages: tuple[str, ...]
    ) -> dict[str, WebStatistics | Unavailable]:
        """Ask each web about a query, and note the languages of all webs for the next one."""
        told = self._ask_each(sources, lambda source: source.describe(query, languages))
        known = [one for one in told if isinstance(one, WebStatistics)]
        if known and len(sources) == len(self.sources):
            self._languages = merge_languages(known)
        return dict(zip((source.name for source in sources), told, strict=True))

    def _ask_each(
        self, sources: Sequence[WebSource], question: Callable[[WebSource], Result]
    ) -> list[Result]:
        """Ask servers at the same time, and meanwhile the webs on this machine one after the other."""
        asked = {source.name: self._threads.submit(question, source) for source in sources if source.address}
        own = {source.name: question(source) for source in sources if not source.address}
        return [own[source.name] if source.name in own else asked[source.name].result() for source in sources]


def open_many(webs: Iterable[str | os.PathLike[str]], wait_s: float = WAIT_S) -> Broker:
    """Open several webs to search them together: folders, addresses of databases, or of other servers (`gossamer serve`).

    Servers are waited for during `wait_s` seconds for each of the two questions that a query takes.
    """
    client = ServerClient(wait_s)
    sources: dict[str, WebSource] = {}
    for web in webs:
        source = _open_source(os.fspath(web), client)
        sources.setdefault(source.name, source)
    if not 0 < len(sources) <= MOST_WEBS:
        raise BadInput(f"give 1 to {MOST_WEBS} webs to search, not {len(sources)}")
    return Broker(list(sources.values()), client)


def summarise_broker(broker: Broker) -> WebStatistics:
    """Return what several webs together say about themselves; they rank queries of other servers in their own way."""
    webs = list(broker.describe_webs().values())
    whole = merge_statistics(webs, ())
    languages: Counter[str] = Counter()
    for one in webs:
        languages.update(one.languages)
    return WebStatistics(SEVERAL, "", whole.pages, dict(languages.most_common()), 0.0, ())


def _open_source(web: str, client: ServerClient) -> WebSource:
    if web.startswith(("http://", "https://")):
        return RemoteSource(web, client)
    return LocalSource(resolve_web(web) if web.startswith(("postgresql:", "postgres:")) else Path(web))


def _select_alike(known: dict[str, WebStatistics]) -> dict[str, WebStatistics]:
    """Return the webs that score alike; of several such groups, the one with the most pages."""
    pages: Counter[str] = Counter()
    for one in known.values():
        pages[one.scoring] += one.pages if one.scoring != SEVERAL else 0
    scoring = pages.most_common(1)[0][0] if pages else ""
    return {name: one for name, one in known.items() if one.scoring == scoring != SEVERAL}


def _make_origin(source: WebSource, known: WebStatistics | None, found: Answers | Unavailable) -> Origin:
    title = known.title if known is not None else source.name
    if isinstance(found, Unavailable):
        return Origin(source.name, title, 0, source.address, found.reason)
    return Origin(source.name, title, found.total, source.address)


def _write_notes(origins: Iterable[Origin], alike: Container[str]) -> list[str]:
    """Say which webs gave no answers, and which rank in their own way."""
    notes = []
    for one in origins:
        if one.failure:
            notes.append(f"{one.name} was left out: {one.failure.rstrip('.')}.")
        elif one.name not in alike:
            notes.append(
                f"{one.name} ranks by its own pages alone, so the order of its answers among the others is a guess."
            )
    return notes
