"""What to expect of a page before it was visited often: how pages of its host and of its kind change.

Empirical Bayes in two steps, by turns: how alike pages of one host are (`fresh_alike`), and how often they change on the
average. The logarithm of that is the sum of what all pages, the kind, the host, and the kind on this host add; how much each
of these matters is learnt too, so that hosts count much in a web whose hosts differ and nothing where they do not.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.freshness.change_rate import Evidence, Floats, Ints, Moments, Rates, moments
from gossamer.freshness.rate_spread import shapes

_FIRST_SHAPE = 1.0
# Nobody has visited anything: a change in 30 days, widely spread.
_USUAL_PER_DAY = 1 / 30
_USUAL_WEIGHT = 1.0
"""Of that, as changes seen: where nobody has ever seen one it keeps rates from falling to nothing."""
_FIRST_VARIANCE = 0.25
"""Of what hosts and kinds add, until they show it: by half as much again, or less."""
_LEAST_VARIANCE = 1e-4
_VARIANCE_ROUNDS = 8
_ALIKE_EVERY = 2
"""In so many rounds how alike pages are is found anew: that, and how often they change, bear on each other."""
_LONGEST_STEP = 1.5
_LEAST_TELLING = 1e-6


class Groups(msgspec.Struct, frozen=True, eq=False):
    """To which host and which kind each page belongs, by small numbers from 0."""

    host: Ints
    kind: Ints

    @property
    def kinds(self) -> int:
        """How many kinds there are."""
        return int(self.kind.max(initial=0)) + 1


def unlearnt(pages: int, per_day: float = _USUAL_PER_DAY) -> Rates:
    """Return what is believed of pages of which nobody knows anything."""
    return Rates(np.full(pages, _FIRST_SHAPE), np.full(pages, _FIRST_SHAPE / per_day))


def guessed(evidence: Evidence, visited: NDArray[np.bool_]) -> Rates:
    """Return what is believed of all pages alike, by changes in the time that was looked at: where learning begins.

    From afar it would take many rounds: where each page was visited twice, every round goes a third of the way.
    """
    kept = visited[evidence.owner]
    changes = evidence.dated[visited].sum() + evidence.times[kept].sum()
    days = evidence.quiet_days[visited].sum() + (evidence.times * evidence.gap_days)[kept].sum()
    return unlearnt(len(visited), float((changes + 1.0) / (days + 1.0 / _USUAL_PER_DAY)))


def learnt(
    evidence: Evidence,
    groups: Groups,
    before: Rates,
    rounds: int = 8,
    visited: NDArray[np.bool_] | None = None,
) -> Rates:
    """Return a prior for each page, learnt from the visits to all; `before` is where to start from.

    Where `visited` tells pages that were visited again from those of which there are only hints, the latter teach
    nothing of others: a host whose dates are all old would never be looked at.
    Cost: that of `rounds` posteriors. Rounds can be few when the last prior is given.
    """
    told = evidence.told if visited is None else evidence.told & visited
    if not told.any():
        return before
    prior, shape = before, before.shape
    for done in range(rounds):
        if done % _ALIKE_EVERY == 1:
            shape = shapes(evidence, groups.host, prior.mean, told)
        prior = _next(prior, shape, moments(evidence, prior), groups, told)
    return prior


class _Cells(msgspec.Struct, frozen=True, eq=False):
    """What is shown of the mean rates of the kinds of each host, as logarithms."""

    shown: Floats
    """What the pages of a cell alone would say."""
    telling: Floats
    """How sure that is: one by its variance."""
    host: Ints
    kind: Ints


def _next(prior: Rates, shape: Floats, found: Moments, groups: Groups, told: NDArray[np.bool_]) -> Rates:
    """Return the next prior, from what pages look like in the light of the last (Fisher's scoring).

    A page with prior (a, a/m) and a mean rate of e by now pulls at log m with a(e/m - 1). Of the shape k that is believed
    of it by now it tells 1/(1/a + 1/(k - a)): what it knows less what it was told, and pages differ as well.
    """
    kinds = groups.kinds
    names, cell = np.unique(groups.host * kinds + groups.kind, return_inverse=True)
    number = len(names)
    known = np.where(told, np.clip(1.0 - prior.shape / found.fitted().shape, 0.0, 1.0), 0.0)
    telling = _sums(cell, prior.shape * known, number)
    pull = _sums(cell, np.where(told, prior.shape * (found.mean / prior.mean - 1.0), 0.0), number)
    before = np.zeros(number)
    before[cell] = np.log(prior.mean)
    step = np.clip(pull / np.maximum(telling, _LEAST_TELLING), -_LONGEST_STEP, _LONGEST_STEP)
    cells = _Cells(before + step, telling, names // kinds, names % kinds)
    mean_log, variance = _drawn_together(cells)
    width = 1.0 / (1.0 / shape + variance[cell])
    return Rates(width, width / np.exp(mean_log[cell]))


def _drawn_together(cells: _Cells) -> tuple[Floats, Floats]:
    """Return the mean of each cell, drawn towards those of its kind and its host as far as these are alike; and its variance.

    Expectation maximisation finds how much kinds, hosts, and kinds on one host differ.
    """
    of_kind = of_host = of_cell = _FIRST_VARIANCE
    told = cells.telling > _LEAST_TELLING
    for _ in range(_VARIANCE_ROUNDS):
        weight = np.where(told, 1.0 / (of_cell + 1.0 / np.maximum(cells.telling, _LEAST_TELLING)), 0.0)
        usual = _USUAL_WEIGHT * np.log(_USUAL_PER_DAY)
        whole = ((weight * cells.shown).sum() + usual) / (weight.sum() + _USUAL_WEIGHT)
        kind, of_kind = _added(cells.kind, weight, cells.shown - whole, of_kind)
        expected = whole + kind.mean[cells.kind]
        host, of_host = _added(cells.host, weight, cells.shown - expected, of_host)
        expected = expected + host.mean[cells.host]
        own, of_cell = _added(np.arange(len(told)), cells.telling * told, cells.shown - expected, of_cell)
    left = own.variance / own.prior
    return expected + own.mean, own.variance + left**2 * host.variance[cells.host]


class _Added(msgspec.Struct, frozen=True, eq=False):
    """What each group adds to the logarithm of a mean rate."""

    mean: Floats
    variance: Floats
    prior: float
    """The variance of what groups add, before anything was seen of one."""


def _added(group: Ints, weight: Floats, shown: Floats, prior: float) -> tuple[_Added, float]:
    """Return what groups add, each drawn towards nothing; and the variance that this shows, for the next round."""
    number = int(group.max()) + 1
    telling = _sums(group, weight, number)
    variance = 1.0 / (telling + 1.0 / prior)
    mean = _sums(group, weight * shown, number) * variance
    told = telling > 0
    spread = (mean**2 + variance)[told].sum() + _FIRST_VARIANCE
    return _Added(mean, variance, prior), max(float(spread) / (told.sum() + 1), _LEAST_VARIANCE)


def _sums(group: Ints, weight: Floats, number: int) -> Floats:
    return np.bincount(group, weight, minlength=number).astype(np.float64)
