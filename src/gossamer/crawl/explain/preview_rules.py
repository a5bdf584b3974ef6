"""Preview the rules of a task: which of the links that a web knows would it take up? Pure: nothing is read or changed.

The same rules decide as in a crawl (`task.scope_rules`), with what was learnt before: traps and robots.txt. Depths follow
from the known links, on paths whose pages are taken up themselves. What only the content of pages decides is left out:
languages, kinds, topics, filters of plug-ins.
"""

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.config import TaskSpec
from gossamer.crawl.explain.known_links import KnownLinks, LearntRules
from gossamer.crawl.task.scope_rules import FOLLOW, ScopeRules
from gossamer.errors import BadInput
from gossamer.fetch.user_agent_header import format_user_agent
from gossamer.net import url as urls
from gossamer.records import Link

UNREACHED = "unreached"
"""The verdict on a URL that no known link leads to, on a path that is followed."""
ROBOTS = "robots"
_EXAMPLES = 5
_LONGEST_S = 10.0
_CHECK_EVERY = 1_000
_TWO_SIDED = 1.96
"""The quantile of the normal distribution for 19 of 20 cases."""

Depths = NDArray[np.int64]


class RulePreview(msgspec.Struct, frozen=True):
    """How many of the known links a task would take up, and which rules refuse the others."""

    known: int
    """How many links the web knows."""
    judged: int
    """How many of them were judged: all, or a sample."""
    taken: int
    """How many of the judged ones would be taken up."""
    refused: dict[str, int]
    """How many of the judged ones each rule refuses, most frequent first."""
    examples: dict[str, list[str]]
    """The first URLs by rule; those that would be taken up under ""."""
    walked: bool
    """Whether depths were derived from the known links; otherwise they count as 0."""
    limit: int = 0
    """The page limit, if it ends the task before all of them are fetched; otherwise 0."""

    @property
    def is_sample(self) -> bool:
        """Whether only a sample was judged."""
        return self.judged < self.known

    def estimate(self, judged: int) -> tuple[int, int, int]:
        """Return how many of all known links a number of judged ones stands for, with its interval, right in 19 of 20 cases."""
        if not self.is_sample:
            return judged, judged, judged
        low, high = _find_interval(judged, self.judged)
        return tuple(round(share * self.known) for share in (judged / self.judged, low, high))  # type: ignore[return-value]


class ChangePreview(msgspec.Struct, frozen=True):
    """What a change of rules would change."""

    before: RulePreview
    after: RulePreview
    gained: int
    """How many of the judged links only the new rules take up."""
    lost: int
    gained_examples: list[str]
    lost_examples: list[tuple[str, str]]
    """With the rule that refuses each."""


class Judgement(msgspec.Struct, frozen=True):
    """The verdicts of a task's rules on the known URLs: FOLLOW or the name of the rule that refuses it."""

    verdicts: list[str]
    walked: bool


def judge_known(known: KnownLinks, learnt: LearntRules, spec: TaskSpec, seeds: Sequence[str]) -> Judgement:
    """Judge all known URLs by the rules of a task with these start pages; raise BadInput for rules that cannot be used."""
    starts = known.find_places(np.array([urls.page_id(seed) for seed in seeds], np.int64))
    starts = starts[starts >= 0]
    verdicts = _judge_by_rules(known, learnt, spec, seeds)
    for place in starts:
        verdicts[place] = FOLLOW  # no rule refuses start pages
    walked = bool(len(starts)) and bool(np.isin(known.sources, starts).any())
    depths: Depths = np.zeros(len(known.urls), np.int64)
    if walked:
        allowed = np.fromiter((verdict == FOLLOW for verdict in verdicts), np.bool_, len(verdicts))
        depths = _find_depths(known, starts, allowed, spec.filters.nofollow)
        deepest = spec.limits.depth
        for place in np.flatnonzero(allowed & (depths < 0)):
            verdicts[place] = UNREACHED
        if deepest >= 0:
            for place in np.flatnonzero(allowed & (depths > deepest)):
                verdicts[place] = "depth"
    if spec.limits.per_host and not known.is_sample:
        _limit_hosts(known, verdicts, depths, spec.limits.per_host)
    return Judgement(verdicts, walked)


def summarise_judgement(known: KnownLinks, judgement: Judgement, pages: int = 0) -> RulePreview:
    """Count verdicts; `pages` is the page limit of the task."""
    counted = Counter(judgement.verdicts)
    examples: dict[str, list[str]] = {}
    for url, verdict in zip(known.urls, judgement.verdicts, strict=True):
        some = examples.setdefault(verdict, [])
        if len(some) < _EXAMPLES:
            some.append(url)
    taken = counted.pop(FOLLOW, 0)
    preview = RulePreview(
        known.known, len(known.urls), taken, dict(counted.most_common()), examples, judgement.walked
    )
    limited = pages and preview.estimate(taken)[0] > pages
    return msgspec.structs.replace(preview, limit=pages) if limited else preview


def compare_judgements(
    known: KnownLinks, before: Judgement, after: Judgement, pages: tuple[int, int] = (0, 0)
) -> ChangePreview:
    """Compare the verdicts of two sets of rules; `pages` are the page limits before and after."""
    pairs = list(zip(known.urls, before.verdicts, after.verdicts, strict=True))
    gained = [url for url, then, now in pairs if then != FOLLOW and now == FOLLOW]
    lost = [(url, now) for url, then, now in pairs if then == FOLLOW and now != FOLLOW]
    return ChangePreview(
        summarise_judgement(known, before, pages[0]),
        summarise_judgement(known, after, pages[1]),
        len(gained),
        len(lost),
        gained[:_EXAMPLES],
        lost[:_EXAMPLES],
    )


def _judge_by_rules(
    known: KnownLinks, learnt: LearntRules, spec: TaskSpec, seeds: Iterable[str]
) -> list[str]:
    """Judge each URL for itself, as if it were found on a start page."""
    rules = ScopeRules(spec, seeds)
    agent = format_user_agent(spec.politeness)
    until_s = time.monotonic() + _LONGEST_S
    verdicts = []
    for at, (url, host) in enumerate(zip(known.urls, known.hosts, strict=True)):
        verdict = rules.decide(Link(url), host, 0)
        if verdict == FOLLOW:
            verdict = _judge_by_learnt(url, host, learnt, spec, agent)
        verdicts.append(verdict)
        if at % _CHECK_EVERY == 0 and time.monotonic() > until_s:
            raise BadInput("these patterns take too long: write simpler ones, without nested * and +")
    return verdicts


def _judge_by_learnt(url: str, host: str, learnt: LearntRules, spec: TaskSpec, agent: str) -> str:
    if spec.filters.traps and learnt.find_trap(url):
        return "trap"
    if spec.politeness.robots and (found := learnt.read_robots(host)) and not found.allows(url, agent):
        return ROBOTS
    return FOLLOW


def _find_depths(
    known: KnownLinks, starts: NDArray[np.int64], allowed: NDArray[np.bool_], nofollow: bool
) -> Depths:
    """Return how many links each URL is away from the start pages, by URLs that are allowed; -1 if no path leads there.

    Cost: O(links) for each step of depth. Redirects lead no deeper.
    """
    used = allowed[known.sources] & allowed[known.targets]
    if nofollow:
        used &= ~known.nofollow
    redirects = known.redirects
    far = known.sources[used & ~redirects], known.targets[used & ~redirects]
    near = known.sources[used & redirects], known.targets[used & redirects]
    depths: Depths = np.full(len(known.urls), -1, np.int64)
    at = starts
    depth = 0
    while len(at):
        depths[at] = depth
        while len(more := _step(at, *near, depths)):
            depths[more] = depth
            at = np.union1d(at, more)
        at = _step(at, *far, depths)
        depth += 1
    return depths


def _step(
    at: NDArray[np.int64], sources: NDArray[np.int64], targets: NDArray[np.int64], depths: Depths
) -> NDArray[np.int64]:
    """Return the URLs without a depth that the links of some URLs lead to."""
    here = np.zeros(len(depths), np.bool_)
    here[at] = True
    found = np.zeros(len(depths), np.bool_)
    found[targets[here[sources]]] = True
    return np.flatnonzero(found & (depths < 0))


def _limit_hosts(known: KnownLinks, verdicts: list[str], depths: Depths, per_host: int) -> None:
    """Refuse what is beyond the budget of each host; the nearest URLs come first."""
    taken = [place for place, verdict in enumerate(verdicts) if verdict == FOLLOW]
    spent: Counter[str] = Counter()
    for place in sorted(taken, key=lambda one: int(depths[one])):
        spent[known.hosts[place]] += 1
        if spent[known.hosts[place]] > per_host:
            verdicts[place] = "per_host"


def _find_interval(hits: int, drawn: int) -> tuple[float, float]:
    """Return the interval of a share that was estimated from a sample (Wilson 1927)."""
    if not drawn:
        return 0.0, 1.0
    share, square = hits / drawn, _TWO_SIDED**2
    middle = (share + square / (2 * drawn)) / (1 + square / drawn)
    wide = (
        _TWO_SIDED * math.sqrt(share * (1 - share) / drawn + square / (4 * drawn**2)) / (1 + square / drawn)
    )
    return max(0.0, middle - wide), min(1.0, middle + wide)
