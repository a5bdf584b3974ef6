"""The schedule of revisits: which pages are due, and what a budget of visits is worth. The clock is an argument."""

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.config import Politeness
from gossamer.crawl.recrawl.page_history import Held
from gossamer.freshness.change_history import DAY_S
from gossamer.freshness.change_rate import Floats, Ints, posterior
from gossamer.freshness.choose_due_pages import choose_due_pages
from gossamer.freshness.learn_from_visit import pause_days
from gossamer.freshness.rate_priors import guess_rates, learn_priors
from gossamer.freshness.visit_value import VisitShares, compute_freshness, share_visits, value_visits
from gossamer.frontier.politeness import least_pause_s

LEAST_GAP_S = 3600.0
"""No page is visited more often, whatever the budget."""
# What is said to have changed is taken to have changed in four of five cases: e^-1.6 is a fifth.
_SAID_TO_HAVE_CHANGED = 1.6
_SILENT_FOR_GOOD_DAYS = 30.0
_PROBE_DAYS = {False: 1.0, True: 7.0}
"""How often a silent host is asked for one page: while there is hope, and after."""
_SHARE_OF_DAY = 0.5
"""Of the time of a host: the rest is for answers that take long, and for other tasks."""
_SHORTEST_S = 0.01
_FARTHEST_DAYS, _DAYS_TRIED = 3650.0, 2000
"""How far ahead it is looked when a page will be due, and in how many steps: of less than 1 % each."""
_CURVE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Due(msgspec.Struct, frozen=True, gc=False):
    """A page that is to be visited, and why."""

    page: int
    value: float
    """What the visit is worth, in days of freshness, weighted."""
    per_day: float
    """Changes that are expected a day."""
    age_days: float
    """Since the page was last known to be as we have it."""
    chance: float
    """That it has changed meanwhile."""
    weight: float
    told: bool
    """Whether a sitemap or a feed says that it changed."""
    gone_times: int


class Outlook(msgspec.Struct, frozen=True):
    """What is believed of one page, and when it will be visited again."""

    per_day: float
    """Changes that are expected a day."""
    group_per_day: float
    """As is expected of pages of its host and kind."""
    changes: float
    """Which visits have shown of the page itself, and in how many days; those long ago count less."""
    days: float
    age_days: float
    chance: float
    weight: float
    told: bool
    gone_times: int
    out: bool
    value: float
    """Of a visit now."""
    price: float
    """At which a visit is worth it."""
    due_s: float | None
    """When its value reaches the price; None if it never does."""


class Schedule:
    """What is believed of the pages of a web, and what follows for visits."""

    def __init__(
        self, pages: Held, manners: Mapping[int, Politeness], least_gap_s: float = LEAST_GAP_S
    ) -> None:
        self.pages = pages
        self._least_gap_days = least_gap_s / DAY_S
        self._host_per_day = _SHARE_OF_DAY * DAY_S / np.maximum(_delays_s(pages, manners), _SHORTEST_S)
        begin = guess_rates(pages.evidence, pages.visited)
        prior = learn_priors(pages.evidence, pages.groups, begin, visited=pages.visited)
        self._expected = prior.mean
        self.rates = posterior(pages.evidence, prior)

    def share(self, budget_per_day: float) -> VisitShares:
        """Share out a budget among all pages that are still visited."""
        rate = np.where(self.pages.out, 0.0, self.rates.mean)
        return share_visits(
            rate, self.pages.weight, self.pages.groups.host, budget_per_day, self._host_per_day
        )

    def fresh_now(self, now_s: float) -> float:
        """Return how much of the web is expected to be as it is on the net, by weight."""
        return self._weighed(1.0 - self._chance(self._age_days(now_s)))

    def curve(self, budget_per_day: float) -> list[tuple[float, float]]:
        """Return budgets a day, this one among them, and the freshness that each keeps up."""
        number = int((~self.pages.out).sum())
        budgets = sorted({*(round(part * number, 1) for part in _CURVE), budget_per_day} - {0.0})
        rate = self.rates.mean
        return [
            (one, self._weighed(compute_freshness(rate, self.share(one).visits_per_day))) for one in budgets
        ]

    def due(self, now_s: float, most: int, price: VisitShares, ahead_days: float = 0.0) -> list[Due]:
        """Return the pages that are worth a visit now, or will be so many days ahead; the most valuable first."""
        pages, host = self.pages, self.pages.groups.host
        age_days = self._age_days(now_s + ahead_days * DAY_S)
        worth = value_visits(self.rates, self._felt_days(age_days), pages.weight)
        ready = self._ready(now_s + ahead_days * DAY_S, age_days)
        paid = price.price + price.host_price[host]
        # What could not be had is looked for again when its pause is over, whatever the price.
        worth = np.where(ready & ((worth >= paid) | (pages.gone_times > 0)), np.maximum(worth, 1e-12), 0.0)
        days = max(ahead_days, 1.0)
        found = choose_due_pages(worth, host, most, self._host_most(now_s, days))
        return self._told(found, worth, age_days)

    def outlook(self, page_id: int, now_s: float, price: VisitShares) -> Outlook | None:
        """Return what is believed of one page, and when it is due; None if it is not among the pages."""
        pages, found = self.pages, np.flatnonzero(self.pages.ids == page_id)
        if not len(found):
            return None
        at = int(found[0])
        [known] = self._told(found, self._worth(now_s), self._age_days(now_s))
        paid = float(price.price + price.host_price[pages.groups.host[at]])
        gaps = pages.evidence.at(found)
        changes = float(gaps.dated[0] + gaps.times.sum())
        return Outlook(
            known.per_day,
            float(self._expected[at]),
            changes,
            float(gaps.quiet_days[0] + (gaps.times * gaps.gap_days).sum()),
            known.age_days,
            known.chance,
            known.weight,
            known.told,
            known.gone_times,
            bool(pages.out[at]),
            known.value,
            paid,
            None if pages.out[at] else self._due_s(at, now_s, paid),
        )

    def _due_s(self, at: int, now_s: float, paid: float) -> float | None:
        """Return when a page is due: when a visit is worth its price, or, if it was absent, when its pause is over."""
        pages, place = self.pages, np.array([at])
        seen_s, tried_s = float(pages.seen_s[at]), float(pages.tried_s[at])
        if times := int(pages.gone_times[at]):
            return tried_s + pause_days(times) * DAY_S
        if pages.told[at] and self._worth(now_s)[at] >= paid:
            return now_s
        days = np.geomspace(1e-3, _FARTHEST_DAYS, _DAYS_TRIED)
        rates = self.rates.at(np.repeat(place, len(days)))
        enough = np.flatnonzero(value_visits(rates, days, np.full(len(days), pages.weight[at])) >= paid)
        return seen_s + max(float(days[enough[0]]), self._least_gap_days) * DAY_S if len(enough) else None

    # How it is done

    def _worth(self, now_s: float) -> Floats:
        return value_visits(self.rates, self._felt_days(self._age_days(now_s)), self.pages.weight)

    def _told(self, found: Ints, worth: Floats, age_days: Floats) -> list[Due]:
        """Say of pages that were chosen why they are due."""
        pages = self.pages
        columns = (
            pages.ids[found],
            worth[found],
            self.rates.at(found).per_day,
            age_days[found],
            self._chance(age_days[found], found),
            pages.weight[found],
            pages.told[found],
            pages.gone_times[found],
        )
        return [Due(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def _age_days(self, now_s: float) -> Floats:
        return np.maximum(now_s - self.pages.seen_s, 0.0) / DAY_S

    def _felt_days(self, age_days: Floats) -> Floats:
        """Return ages by which pages count that are said to have changed: as old as makes that likely."""
        felt: Floats = np.maximum(age_days, _SAID_TO_HAVE_CHANGED / self.rates.mean)
        return np.where(self.pages.told, felt, age_days)

    def _chance(self, age_days: Floats, places: Ints | None = None) -> Floats:
        """Return the chance that pages have changed: the mean of 1 - exp(-λt) over what is believed of λ."""
        rates = self.rates if places is None else self.rates.at(places)
        kept: Floats = np.exp(-rates.shape * np.log1p(age_days / rates.days))
        return 1.0 - kept

    def _weighed(self, fresh: Floats) -> float:
        weight = np.where(self.pages.out, 0.0, self.pages.weight)
        return float((weight * fresh).sum() / max(weight.sum(), 1e-12))

    def _ready(self, now_s: float, age_days: Floats) -> NDArray[np.bool_]:
        """Say which pages may be visited at all: not given up, not absent a moment ago, not visited just now."""
        pages = self.pages
        pauses = np.array([pause_days(times) for times in range(int(pages.gone_times.max(initial=0)) + 1)])
        rested = (now_s - pages.tried_s) / DAY_S >= pauses[pages.gone_times]
        found: NDArray[np.bool_] = ~pages.out & rested & (age_days >= self._least_gap_days)
        return found

    def _host_most(self, now_s: float, days: float) -> Ints:
        """Return how many pages of each host may be asked for: of one that does not answer, one now and then."""
        pages = self.pages
        most = np.maximum(self._host_per_day * days, 1.0).astype(np.int64)
        for host in np.flatnonzero(pages.silent_s):
            silent_days = (now_s - pages.silent_s[host]) / DAY_S
            absent = (pages.groups.host == host) & (pages.gone_times > 0)
            asked_s = pages.tried_s[absent].max(initial=0.0)
            pause = _PROBE_DAYS[bool(silent_days > _SILENT_FOR_GOOD_DAYS)]
            most[host] = int((now_s - asked_s) / DAY_S >= pause)
        return most


def _delays_s(pages: Held, manners: Mapping[int, Politeness]) -> Floats:
    """Return the pause of each host: the longest that a task makes whose pages it has, or that its robots.txt asks for."""
    delay_s = np.zeros(len(pages.hosts))
    for task in np.unique(pages.task).tolist():
        own = manners.get(task, Politeness())
        of_task = np.zeros(len(pages.hosts), np.bool_)
        of_task[pages.groups.host[pages.task == task]] = True
        asked_s = [
            least_pause_s(crawl_delay_s, own) for crawl_delay_s in pages.crawl_delay_s[of_task].tolist()
        ]
        delay_s[of_task] = np.maximum(delay_s[of_task], asked_s)
    return delay_s
