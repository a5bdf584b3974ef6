"""Measure how fresh the copies of 100,000 changing pages stay over 30 simulated days, against known true rates.

At the start all pages were just fetched, and nothing else is known. A tenth of the pages may be visited a day, and no two
pages of a host within its delay. Estimator, prior, value and choice are those of the program; only time and changes are
simulated.

In "alike", pages of one host and kind have almost the same rate; in "kin", similar rates; in "lone", the host says little
about the rate; in "lab", rates are random, as in the lab's own worlds. With "+dates", half of the hosts say when a page
last changed; with "+moods", pages change their rate now and then.
"""

import argparse
import math
import sys
import time
from collections.abc import Sequence
from functools import partial

import msgspec
import numpy as np

from command_line import run_benchmark
from gossamer.freshness.change_rate import Evidence, Floats, Ints, Rates, posterior
from gossamer.freshness.choose_due_pages import choose_due_pages
from gossamer.freshness.learn_from_visit import FADES
from gossamer.freshness.rate_priors import Groups, default_rates, learn_priors
from gossamer.freshness.visit_value import compute_freshness, share_visits, value_visits

PAGES, HOSTS, DAYS = 100_000, 500, 30
STEPS_A_DAY = 24
BUDGET = 0.1
DELAY_S = 60.0
KINDS = 4
MEAN_PER_DAY = 0.1
VISITS = 20
HABITS, HABIT_DAYS = 6, 45
"""The number of other rates that a page may change to, and the mean number of days between changes of rate."""
WEBS = ("kin", "lab", "lab+dates")
RATE_WEBS = ("alike", "kin", "kin+dates", "lone", "lab")
MOST_TELLING = 1.594
"""The expected changes in a gap at which a yes or no says most about the rate: where (e^x - 1) / x² is least."""
# Spreads of the logarithms of rates: between hosts, between kinds on a host, between pages of one kind.
SPREADS = {"alike": (1.0, 0.7, 0.15), "kin": (1.0, 0.7, 0.3), "lone": (0.7, 0.5, 1.0)}


class World(msgspec.Struct, frozen=True, eq=False):
    """Pages whose rates are known."""

    rate: Floats
    weight: Floats
    groups: Groups
    dates: np.ndarray
    """For each page: whether its server says when it last changed."""
    later: np.ndarray
    """For each page: the rates that it may have later; none where rates are constant."""
    law: Rates | None
    """The distribution of the rates, if it is a Gamma distribution."""

    @property
    def host_most(self) -> Ints:
        """How many pages of each host may be requested in one step."""
        hosts = int(self.groups.host.max()) + 1
        return np.full(hosts, int(86_400 / STEPS_A_DAY / DELAY_S), np.int64)


def make_world(called: str, pages: int, hosts: int) -> World:
    """Make a web: hosts of very different size, weights of very different importance."""
    name, *more = called.split("+")
    dice = np.random.default_rng(7)
    sizes = 1.0 / np.arange(1, hosts + 1) ** 0.7
    host = dice.choice(hosts, pages, p=sizes / sizes.sum())
    kind = dice.integers(0, KINDS, pages)
    if name == "lab":
        mean, drawn = np.full(pages, MEAN_PER_DAY), partial(dice.exponential, 1.0, pages)
    else:
        of_host, of_kind, of_page = SPREADS[name]
        mean_log = dice.normal(0, of_host, hosts)[host] + dice.normal(0, of_kind, KINDS)[kind]
        mean_log += dice.normal(0, of_kind / 2, (hosts, KINDS))[host, kind]
        mean, drawn = MEAN_PER_DAY * np.exp(mean_log), partial(dice.lognormal, 0.0, of_page, pages)
    rate = mean * drawn()
    dates = (dice.random(hosts) < 0.5)[host] & ("dates" in more)
    weight = 1.0 + dice.pareto(1.5, pages)
    later = np.array([mean * drawn() for _ in range(HABITS)]) if "moods" in more else np.empty((0, pages))
    law = default_rates(pages, MEAN_PER_DAY) if called == "lab" else None
    return World(rate, weight, Groups(host, kind), dates, later, law)


class Learner:
    """The program's knowledge, learnt from visits."""

    def __init__(self, world: World, dice: np.random.Generator, law: Rates | None = None) -> None:
        pages = len(world.rate)
        self._world = world
        self._law = law
        self._quiet, self._dated = np.zeros(pages), np.zeros(pages)
        self._faded = np.zeros(pages)
        self._changed, self._days = np.zeros(pages), np.zeros(pages)
        self._owners: list[Ints] = []
        self._gaps: list[Floats] = []
        self._when: list[Floats] = []
        self._touched: list[Ints] = []
        self._prior = default_rates(pages, MEAN_PER_DAY * 3)  # wrong by a factor of three
        known = np.flatnonzero(world.dates)
        self._dated[known] = 1.0
        self._quiet[known] = dice.exponential(1 / world.rate[known])
        self.rates = self._prior
        self.learn(rounds=8)

    @property
    def evidence(self) -> Evidence:
        """All visits so far."""
        owner = np.concatenate(self._owners) if self._owners else np.empty(0, np.int64)
        gaps = np.concatenate(self._gaps) if self._gaps else np.empty(0)
        since = self._faded[owner] - (np.concatenate(self._when) if self._when else np.empty(0))
        return Evidence(self._quiet, self._dated, owner, gaps, FADES**since)

    def record_visits(self, page: Ints, gap_days: Floats, changed: np.ndarray, ago_days: Floats) -> None:
        """Record visits: pages, days since their last visits, whether they had changed, and how long ago."""
        dated = changed & self._world.dates[page]
        plain = changed & ~dated
        chance = -np.expm1(-(self._changed[page] + 0.5) / (self._days[page] + gap_days) * gap_days)
        weight = np.where(changed, 1.0, chance)
        kept = FADES**weight
        self._faded[page] += weight
        self._changed[page] = kept * self._changed[page] + changed
        self._days[page] = kept * self._days[page] + gap_days
        quiet = np.where(changed, np.where(dated, ago_days, 0.0), gap_days)
        self._quiet[page] = kept * self._quiet[page] + quiet
        self._dated[page] = kept * self._dated[page] + dated
        self._owners.append(page[plain])
        self._gaps.append(gap_days[plain])
        self._when.append(self._faded[page[plain]])
        self._touched.append(page)

    def learn(self, rounds: int) -> None:
        """Learn the priors of hosts and kinds, and update the rates of all pages."""
        evidence = self.evidence
        self._prior = self._law or learn_priors(evidence, self._world.groups, self._prior, rounds)
        self.rates = posterior(evidence, self._prior)
        self._touched = []

    def update_visited(self) -> None:
        """Update the rates of the pages visited since the last update."""
        page = np.unique(np.concatenate(self._touched)) if self._touched else np.empty(0, np.int64)
        shown = posterior(self.evidence.at(page), self._prior.at(page))
        shape, days = self.rates.shape.copy(), self.rates.days.copy()
        shape[page], days[page] = shown.shape, shown.days
        self.rates = Rates(shape, days)
        self._touched = []


def make_exact_rates(rate: Floats) -> Rates:
    """Return rates without uncertainty."""
    return Rates(np.full(len(rate), 1e7), 1e7 / rate)


def run_policy(world: World, policy: str, days: int) -> float:
    """Let a policy visit pages for this number of days; return the weighted freshness of the copies."""
    dice = np.random.default_rng(11)
    pages = len(world.rate)
    learner = Learner(world, np.random.default_rng(13), world.law if policy == "briefed" else None)
    last, fresh = np.zeros(pages), np.zeros(pages)
    rate = world.rate.copy()
    changes = dice.exponential(1 / rate)
    most = int(BUDGET * pages / STEPS_A_DAY)
    turn = dice.random(pages)
    now = 0.0
    for step in range(days * STEPS_A_DAY):
        now = (step + 1) / STEPS_A_DAY
        if len(world.later) and step % STEPS_A_DAY == 0:
            change_habits(world, rate, changes, now, dice)
        worth = compute_worths(
            world, policy, make_exact_rates(rate) if policy == "known" else learner.rates, now - last, turn
        )
        page = choose_due_pages(worth, world.groups.host, most, world.host_most)
        gap, until = now - last[page], changes[page] - last[page]
        changed = until <= gap
        fresh[page] += np.minimum(until, gap)
        if policy in ("learnt", "briefed"):
            # Backwards in time, the last change is the first one, if it is within the gap.
            backwards = -np.log1p(dice.random(len(page)) * np.expm1(-rate[page] * gap)) / rate[page]
            learner.record_visits(page, gap, changed, backwards)
            if step % STEPS_A_DAY == STEPS_A_DAY - 1:
                learner.learn(rounds=2)
            elif step % 3 == 2:
                learner.update_visited()
        last[page] = now
        changes[page] = np.where(changed, now + dice.exponential(1 / rate[page]), changes[page])
    fresh += np.minimum(changes - last, now - last)
    return float((world.weight * fresh).sum() / world.weight.sum() / now)


def change_habits(world: World, rate: Floats, changes: Floats, now: float, dice: np.random.Generator) -> None:
    """Give a day's share of the pages another rate, in place, and draw their next changes again."""
    moved = np.flatnonzero(dice.random(len(rate)) < 1 / HABIT_DAYS)
    rate[moved] = world.later[dice.integers(0, HABITS, len(moved)), moved]
    still = moved[changes[moved] > now]
    changes[still] = now + dice.exponential(1 / rate[still])


def compute_worths(world: World, policy: str, rates: Rates, age_days: Floats, turn: Floats) -> Floats:
    """Return the values by which a policy chooses pages."""
    match policy:
        case "known" | "learnt" | "briefed":
            return value_visits(rates, age_days, world.weight)
        case "proportional":  # to the true rates, which it need not learn
            return world.rate * age_days
        case _:
            return age_days + 1e-6 * turn


def compare_policies(world: World, days: int) -> dict[str, float]:
    """Return the freshness of each policy, and the analytic optimum of steady visits by the true rates."""
    policies = ["known", "learnt", "uniform", "proportional"]
    if world.law is not None:
        policies.append("briefed")  # knows the distribution of the rates, but not the rate of any page
    found = {policy: run_policy(world, policy, days) for policy in policies}
    budget = BUDGET * len(world.rate)
    steady = share_visits(
        world.rate,
        world.weight,
        world.groups.host,
        budget,
        (world.host_most * STEPS_A_DAY).astype(np.float64),
    )
    fresh = compute_freshness(world.rate, steady.visits_per_day)
    found["steady"] = float((world.weight * fresh).sum() / world.weight.sum())
    return found


def measure_rates(world: World, visits: int) -> tuple[float, float]:
    """Visit each page at irregular times; return the medians of estimate to truth and of the relative error."""
    dice = np.random.default_rng(17)
    learner = Learner(world, dice)
    page = np.arange(len(world.rate))
    for _ in range(visits):
        gap = MOST_TELLING / learner.rates.per_day * dice.lognormal(0, 0.5, len(page))
        backwards = dice.exponential(1 / world.rate)
        learner.record_visits(page, gap, backwards <= gap, np.minimum(backwards, gap))
        learner.learn(rounds=2)
    ratio = learner.rates.per_day / world.rate
    return float(np.median(ratio)), float(np.median(np.abs(ratio - 1.0)))


def compute_least_error(visits: int) -> float:
    """Return the least median error of an unbiased estimate from this number of yes or no answers (Cramér, Rao)."""
    deviation = math.sqrt((math.expm1(MOST_TELLING)) / visits) / MOST_TELLING
    return 0.6745 * deviation


def main() -> int:
    """Measure with the options of the command line."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--json", action="store_true")
    asked.add_argument(
        "--webs", default=",".join(WEBS), help="of alike, kin, lone, lab and each with +dates or +moods"
    )
    asked.add_argument("--pages", type=int, default=PAGES)
    asked.add_argument("--hosts", type=int, default=HOSTS)
    asked.add_argument("--days", type=int, default=DAYS)
    given = asked.parse_args()
    webs = given.webs.split(",")
    return run_benchmark("freshness", lambda: measure(given.pages, given.hosts, given.days, webs), given.json)


def measure(
    pages: int = PAGES, hosts: int = HOSTS, days: int = DAYS, webs: Sequence[str] = WEBS
) -> dict[str, float]:
    """Run all policies on the webs; shares are relative to the better of two optima that know the true rates."""
    figures: dict[str, float] = {}
    for name in webs:
        began_s = time.perf_counter()
        found = compare_policies(make_world(name, pages, hosts), days)
        figures[f"freshness.{name}_share"] = found["learnt"] / max(found["known"], found["steady"])
        for other in found.keys() & {"uniform", "proportional", "briefed"}:
            figures[f"freshness.{name}_vs_{other}"] = found["learnt"] / found[other]
        text = ", ".join(f"{policy} {fresh:.4f}" for policy, fresh in found.items())
        print(f"{name}: {text}; {time.perf_counter() - began_s:.0f} s", file=sys.stderr)
    figures |= {
        "freshness.least_share": min(one for name, one in figures.items() if name.endswith("_share")),
        "freshness.least_vs_others": min(
            one for name, one in figures.items() if name.endswith(("_vs_uniform", "_vs_proportional"))
        ),
    }
    for name in RATE_WEBS:
        ratio, error = measure_rates(make_world(name, pages // 10, hosts // 10), VISITS)
        figures[f"freshness.{name}_rate_ratio"] = ratio
        figures[f"freshness.{name}_rate_error"] = error
        figures[f"freshness.{name}_rate_error_vs_least"] = error / compute_least_error(VISITS)
    return figures


if __name__ == "__main__":
    sys.exit(main())
