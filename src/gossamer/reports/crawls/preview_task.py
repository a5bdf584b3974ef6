"""Previews for forms and verbs: how many of the links that the web knows would a task take up, and what would a change change?"""

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.control.start_tasks import list_start_pages
from gossamer.crawl.explain.known_links import KnownLinks, LearntRules, read_known_links, read_learnt_rules
from gossamer.crawl.explain.preview_rules import (
    ChangePreview,
    Judgement,
    RulePreview,
    compare_judgements,
    judge_known,
    summarise_judgement,
)
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.patterns.try_patterns import list_patterns, try_patterns
from gossamer.errors import BadUrl, GossamerError
from gossamer.net import url as urls
from gossamer.web import Web

_KEPT_S = 10.0
"""Known links are read once while a person types."""


class _KeptLinks(msgspec.Struct, frozen=True):
    web: str
    read_s: float
    known: KnownLinks
    tried: set[tuple[str, str]]
    """The options and patterns that were tried on these URLs."""


class Previewer:
    """Makes previews; keeps the known links of the last web for some seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: _KeptLinks | None = None

    def preview_task(self, web: Web, spec: TaskSpec) -> RulePreview:
        """Preview a new task; raise SlowPattern for a pattern that takes too long."""
        self.check_patterns(web, list_patterns(spec))
        known, learnt = self._read(web)
        return summarise_judgement(known, _judge(known, learnt, spec), spec.limits.pages)

    def preview_change(self, web: Web, before: TaskSpec, after: TaskSpec) -> ChangePreview:
        """Preview a change of a task; raise SlowPattern for a pattern that takes too long."""
        for spec in (after, before):
            self.check_patterns(web, list_patterns(spec))
        known, learnt = self._read(web)
        pages = before.limits.pages, after.limits.pages
        return compare_judgements(known, _judge(known, learnt, before), _judge(known, learnt, after), pages)

    def check_patterns(
        self, web: Web, options: Mapping[str, Sequence[str]], further: Sequence[str] = ()
    ) -> None:
        """Raise SlowPattern for a pattern that takes too long for the known URLs, or for some further ones."""
        if not any(options.values()):
            return
        known = self._read(web)[0]
        kept = self._kept
        tried = kept.tried if kept is not None and kept.known is known else set()
        asked = {(name, one) for name, patterns in options.items() for one in patterns}
        if new := {name: [one for one in some if (name, one) not in tried] for name, some in options.items()}:
            try_patterns(new, known.urls, known.hosts)
            tried |= asked
        if pages := _read_urls(further):
            try_patterns(options, pages, map(host_of, pages))

    def list_known(self, web: Web) -> KnownLinks:
        """Return the known links of a web, at most some seconds old."""
        return self._read(web)[0]

    def _read(self, web: Web) -> tuple[KnownLinks, LearntRules]:
        with self._lock:
            kept, now_s = self._kept, time.monotonic()
            if kept is None or kept.web != str(web.folder) or now_s - kept.read_s > _KEPT_S:
                kept = self._kept = _KeptLinks(str(web.folder), now_s, read_known_links(web.store), set())
            return kept.known, read_learnt_rules(web.store)


def _judge(known: KnownLinks, learnt: LearntRules, spec: TaskSpec) -> Judgement:
    return judge_known(known, learnt, spec, list_seeds(spec))


def _read_urls(typed: Iterable[str]) -> list[str]:
    """Return the URLs among what was typed, in canonical form."""
    found = []
    for one in typed:
        with suppress(BadUrl):
            found.append(urls.canonical(one, rules=urls.TYPED_RULES))
    return found


def list_seeds(spec: TaskSpec) -> list[str]:
    """Return the start pages of a task, as far as they can be read."""
    try:
        return list_start_pages(spec)
    except GossamerError:
        return []


PREVIEWER = Previewer()
"""For all pages and verbs: it only saves time."""
