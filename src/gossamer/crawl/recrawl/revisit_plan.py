"""The schedule of revisits: which pages are due, and how fresh a budget of visits keeps the web. The time is an argument."""

from collections.abc import Mapping

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.config import Politeness
from gossamer.crawl.recrawl.page_table import PageTable
from gossamer.freshness.change_history import DAY_S
from gossamer.freshness.change_rate import Floats, Ints, posterior
from gossamer.freshness.choose_due_pages import choose_due_pages
from gossamer.freshness.missing_pages import pause_days
from gossamer.freshness.rate_priors import guess_rates, learn_priors
from gossamer.freshness.visit_value import VisitShares, compute_freshness, share_visits, value_visits
from gossamer.frontier.pauses_and_backoff import CLOCK_SLACK_S, least_pause_s

LEAST_GAP_S = 3600.0
"""The shortest gap between two visits to a page, whatever the budget."""
# A page that a sitemap says has changed is taken to have changed in four of five cases: e^-1.6 is a fifth.
_SAID_TO_HAVE_CHANGED = 1.6
_SILENT_FOR_GOOD_DAYS = 30.0
_PROBE_DAYS = {False: 1.0, True: 7.0}
"""How often a silent host is asked for one page: in the first 30 days, and after."""
_UNKNOWN_AGE_DAYS = 30.0
"""The age of a copy whose time is still to come: most pages are worth a visit then, and afterwards the time is right."""
_SHARE_OF_DAY = 0.5
"""The share of a host's time that is used: the rest is for slow answers and for other tasks."""
_SHORTEST_S = 0.01
_FARTHEST_DAYS, _DAYS_TRIED = 3650.0, 2000
"""How far ahead the due date of a page is searched, and in how many steps, of less than 1 % each."""
_CURVE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class DuePage(msgspec.Struct, frozen=True, gc=False):
    """A page that is due for a visit, and why."""

    page: int
    value: float
    """The value of the visit, in weighted days of freshness."""
    per_day: float
    """Expected changes a day."""
    age_days: float
    """The time since the copy was last known to be current."""
    chance: float
    """The probability that it has changed since."""
    weight: float
    told: bool
    """Whether a sitemap or a feed says that it has changed."""
    gone_times: int


class PageOutlook(msgspec.Struct, frozen=True):
    """The estimates for one page, and when it will be visited again."""

    per_day: float
    """Expected changes a day."""
    group_per_day: float
    """Expected changes a day of pages of its host and kind."""
    changes: float
    """Changes of the page that visits have shown, in this many `days`; older ones count less."""
    days: float
    age_days: float
    chance: float
    weight: float
    told: bool
    gone_times: int
    out: bool
    value: float
    """The value of a visit now."""
    price: float
    """The value from which a visit is worth it."""
    due_s: float | None
    """When its value reaches the price; None if it never does."""


class Schedule:
    """The estimated change rates of a web's pages, and the visits that follow from them."""

    def __init__(
        self, pages: PageTable, manners: Mapping[int, Politeness], least_gap_s: float = LEAST_GAP_S
    ) -> None:
        self.pages = pages
        self._least_gap_days = least_gap_s / DAY_S
        self._host_per_day = _SHARE_OF_DAY * DAY_S / np.maximum(_find_pauses(pages, manners), _SHORTEST_S)
        begin = guess_rates(pages.evidence, pages.visited)
        prior = learn_priors(pages.evidence, pages.groups, begin, visited=pages.visited)
        self._expected = prior.mean
        self.rates = posterior(pages.evidence, prior)

    def share_budget(self, budget_per_day: float) -> VisitShares:
        """Share a budget of visits among all pages that are not given up."""
        rate = np.where(self.pages.out, 0.0, self.rates.mean)
        return share_visits(
            rate, self.pages.weight, self.pages.groups.host, budget_per_day, self._host_per_day
        )

    def estimate_freshness(self, now_s: float) -> float:
        """Return the weighted share of the pages that are expected to be current."""
        return self._weigh(1.0 - self._chance(self._age_days(now_s)))

    def compute_curve(self, budget_per_day: float) -> list[tuple[float, float]]:
        """Return budgets a day, this one among them, and the freshness that each maintains."""
        number = int((~self.pages.out).sum())
        budgets = sorted({*(round(part * number, 1) for part in _CURVE), budget_per_day} - {0.0})
        rate = self.rates.mean
        return [
            (one, self._weigh(compute_freshness(rate, self.share_budget(one).visits_per_day)))
            for one in budgets
        ]

    def find_due(self, now_s: float, most: int, price: VisitShares, ahead_days: float = 0.0) -> list[DuePage]:
        """Return the pages that are worth a visit now or in `ahead_days`, the most valuable first."""
        pages, host = self.pages, self.pages.groups.host
        age_days = self._age_days(now_s + ahead_days * DAY_S)
        worth = value_visits(self.rates, self._effective_days(age_days), pages.weight)
        ready = self._find_ready(now_s + ahead_days * DAY_S, age_days)
        paid = price.price + price.host_price[host]
        # Pages that could not be fetched are tried again after their pause, whatever the price.
        worth = np.where(ready & ((worth >= paid) | (pages.gone_times > 0)), np.maximum(worth, 1e-12), 0.0)
        days = max(ahead_days, 1.0)
        found = choose_due_pages(worth, host, most, self._limit_hosts(now_s, days))
        return self._describe(found, worth, age_days)

    def describe_page(self, page_id: int, now_s: float, price: VisitShares) -> PageOutlook | None:
        """Return the estimates for one page and when it is due; None if the web does not have it."""
        pages, found = self.pages, np.flatnonzero(self.pages.ids == page_id)
        if not len(found):
            return None
        at = int(found[0])
        [known] = self._describe(found, self._worth(now_s), self._age_days(now_s))
        paid = float(price.price + price.host_price[pages.groups.host[at]])
        gaps = pages.evidence.at(found)
        changes = float(gaps.dated[0] + gaps.times.sum())
        return PageOutlook(
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
            None if pages.out[at] else self._find_due_s(at, now_s, paid),
        )

    def _find_due_s(self, at: int, now_s: float, paid: float) -> float | None:
        """Return when a visit to a page is worth its price or, if the page was absent, when its pause is over."""
        pages, place = self.pages, np.array([at])
        seen_s, tried_s = float(pages.seen_s[at]), float(pages.tried_s[at])
        if times := int(pages.gone_times[at]):
            return tried_s + pause_days(times) * DAY_S
        if pages.announced[at] and self._worth(now_s)[at] >= paid:
            return now_s
        days = np.geomspace(1e-3, _FARTHEST_DAYS, _DAYS_TRIED)
        rates = self.rates.at(np.repeat(place, len(days)))
        enough = np.flatnonzero(value_visits(rates, days, np.full(len(days), pages.weight[at])) >= paid)
        return seen_s + max(float(days[enough[0]]), self._least_gap_days) * DAY_S if len(enough) else None

    # How it is done

    def _worth(self, now_s: float) -> Floats:
        return value_visits(self.rates, self._effective_days(self._age_days(now_s)), self.pages.weight)

    def _describe(self, found: Ints, worth: Floats, age_days: Floats) -> list[DuePage]:
        """Return the chosen pages with the reasons why they are due."""
        pages = self.pages
        columns = (
            pages.ids[found],
            worth[found],
            self.rates.at(found).per_day,
            age_days[found],
            self._chance(age_days[found], found),
            pages.weight[found],
            pages.announced[found],
            pages.gone_times[found],
        )
        return [DuePage(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def _age_days(self, now_s: float) -> Floats:
        return _find_ages(self.pages.seen_s, now_s)

    def _effective_days(self, age_days: Floats) -> Floats:
        """Return the ages of pages; announced changes make a page as old as makes a change likely."""
        effective: Floats = np.maximum(age_days, _SAID_TO_HAVE_CHANGED / self.rates.mean)
        return np.where(self.pages.announced, effective, age_days)

    def _chance(self, age_days: Floats, places: Ints | None = None) -> Floats:
        """Return the probability that pages have changed: the mean of 1 - exp(-λt) over the posterior of λ."""
        rates = self.rates if places is None else self.rates.at(places)
        kept: Floats = np.exp(-rates.shape * np.log1p(age_days / rates.days))
        return 1.0 - kept

    def _weigh(self, fresh: Floats) -> float:
        weight = np.where(self.pages.out, 0.0, self.pages.weight)
        return float((weight * fresh).sum() / max(weight.sum(), 1e-12))

    def _find_ready(self, now_s: float, age_days: Floats) -> NDArray[np.bool_]:
        """Say which pages may be visited: not given up, not within the pause after an absence, not visited just now."""
        pages = self.pages
        pauses = np.array([pause_days(times) for times in range(int(pages.gone_times.max(initial=0)) + 1)])
        rested = _find_ages(pages.tried_s, now_s) >= pauses[pages.gone_times]
        found: NDArray[np.bool_] = ~pages.out & rested & (age_days >= self._least_gap_days)
        return found

    def _limit_hosts(self, now_s: float, days: float) -> Ints:
        """Return how many pages of each host may be requested; a silent host is asked for one page now and then."""
        pages = self.pages
        most = np.maximum(self._host_per_day * days, 1.0).astype(np.int64)
        for host in np.flatnonzero(pages.silent_s):
            silent_days = (now_s - pages.silent_s[host]) / DAY_S
            absent = (pages.groups.host == host) & (pages.gone_times > 0)
            asked_days = _find_ages(pages.tried_s[absent], now_s).min(initial=np.inf)
            pause = _PROBE_DAYS[bool(silent_days > _SILENT_FOR_GOOD_DAYS)]
            most[host] = int(asked_days >= pause)
        return most


def _find_ages(then_s: Floats, now_s: float) -> Floats:
    """Return how many days ago times were; those still to come are of a wrong clock, and count as long ago."""
    days: Floats = np.maximum(now_s - then_s, 0.0) / DAY_S
    return np.where(then_s > now_s + CLOCK_SLACK_S, _UNKNOWN_AGE_DAYS, days)


def _find_pauses(pages: PageTable, manners: Mapping[int, Politeness]) -> Floats:
    """Return the pause of each host: the longest of the tasks whose pages it has and of its robots.txt."""
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
