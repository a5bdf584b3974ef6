"""Learn a prior for each page's change rate from the pages of its host and of its kind.

Empirical Bayes, alternating two steps: how similar the pages of one host are (`rate_spread`), and their mean rate. The
logarithm of the mean is a sum of effects: all pages, the kind, the host, and the kind on this host. The variance of each
effect is learnt as well, so that hosts count much in a web whose hosts differ, and nothing where they do not.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.freshness.change_rate import Evidence, Floats, Ints, Moments, Rates, moments
from gossamer.freshness.rate_spread import fit_shapes

_FIRST_SHAPE = 1.0
# Before any visit: one change in 30 days, widely spread.
_USUAL_PER_DAY = 1 / 30
_USUAL_WEIGHT = 1.0
"""The weight of that assumption, in observed changes. It keeps rates above 0 where no change was ever seen."""
_FIRST_VARIANCE = 0.25
"""The initial variance of the effects of hosts and kinds: a factor of about 1.5 up or down."""
_LEAST_VARIANCE = 1e-4
_VARIANCE_ROUNDS = 8
_SHAPE_EVERY = 2
"""Shapes are fitted again once in this many rounds: shapes and means depend on each other."""
_LONGEST_STEP = 1.5
_LEAST_PRECISION = 1e-6


class Groups(msgspec.Struct, frozen=True, eq=False):
    """The host and the kind of each page, as small numbers from 0."""

    host: Ints
    kind: Ints

    @property
    def kinds(self) -> int:
        """The number of kinds."""
        return int(self.kind.max(initial=0)) + 1


def default_rates(pages: int, per_day: float = _USUAL_PER_DAY) -> Rates:
    """Return the prior for pages without any evidence."""
    return Rates(np.full(pages, _FIRST_SHAPE), np.full(pages, _FIRST_SHAPE / per_day))


def guess_rates(evidence: Evidence, visited: NDArray[np.bool_]) -> Rates:
    """Return one common prior, from all changes in all observed time: the start of learning.

    A worse start takes many rounds: where each page was visited twice, every round covers a third of the distance.
    """
    kept = visited[evidence.owner]
    changes = evidence.dated[visited].sum() + evidence.times[kept].sum()
    days = evidence.quiet_days[visited].sum() + (evidence.times * evidence.gap_days)[kept].sum()
    return default_rates(len(visited), float((changes + 1.0) / (days + 1.0 / _USUAL_PER_DAY)))


def learn_priors(
    evidence: Evidence,
    groups: Groups,
    before: Rates,
    rounds: int = 8,
    visited: NDArray[np.bool_] | None = None,
) -> Rates:
    """Return a prior for each page, learnt from the visits to all pages, starting from `before`.

    `visited` marks pages that were visited again. The others have only date hints and teach nothing about other
    pages: otherwise a host whose dates are all old would never be visited.
    Cost: that of `rounds` posteriors. Few rounds suffice when `before` is the last prior.
    """
    known = evidence.is_known if visited is None else evidence.is_known & visited
    if not known.any():
        return before
    prior, shape = before, before.shape
    for done in range(rounds):
        if done % _SHAPE_EVERY == 1:
            shape = fit_shapes(evidence, groups.host, prior.mean, known)
        prior = _update_prior(prior, shape, moments(evidence, prior), groups, known)
    return prior


class _Cells(msgspec.Struct, frozen=True, eq=False):
    """The log mean rates of the cells; a cell is one kind on one host."""

    shown: Floats
    """The estimate from the pages of the cell alone."""
    precision: Floats
    """The inverse variance of that estimate."""
    host: Ints
    kind: Ints


def _update_prior(
    prior: Rates, shape: Floats, found: Moments, groups: Groups, known: NDArray[np.bool_]
) -> Rates:
    """Return the next prior from the posterior moments under the last one (Fisher scoring).

    A page with prior (a, a/m) and posterior mean e pulls log m by a(e/m - 1). With posterior shape k, its information
    about log m is 1/(1/a + 1/(k - a)): what the page knows minus its prior, limited by how much pages differ.
    """
    kinds = groups.kinds
    names, cell = np.unique(groups.host * kinds + groups.kind, return_inverse=True)
    number = len(names)
    learnt = np.where(known, np.clip(1.0 - prior.shape / found.fit_gamma().shape, 0.0, 1.0), 0.0)
    precision = _sum_by_group(cell, prior.shape * learnt, number)
    pull = _sum_by_group(cell, np.where(known, prior.shape * (found.mean / prior.mean - 1.0), 0.0), number)
    before = np.zeros(number)
    before[cell] = np.log(prior.mean)
    step = np.clip(pull / np.maximum(precision, _LEAST_PRECISION), -_LONGEST_STEP, _LONGEST_STEP)
    cells = _Cells(before + step, precision, names // kinds, names % kinds)
    mean_log, variance = _shrink_cells(cells)
    width = 1.0 / (1.0 / shape + variance[cell])
    return Rates(width, width / np.exp(mean_log[cell]))


def _shrink_cells(cells: _Cells) -> tuple[Floats, Floats]:
    """Return the mean and the variance of each cell, shrunk towards its kind and its host.

    Expectation maximisation finds the variances between kinds, hosts, and kinds on one host, hence how far to shrink.
    """
    of_kind = of_host = of_cell = _FIRST_VARIANCE
    known = cells.precision > _LEAST_PRECISION
    for _ in range(_VARIANCE_ROUNDS):
        weight = np.where(known, 1.0 / (of_cell + 1.0 / np.maximum(cells.precision, _LEAST_PRECISION)), 0.0)
        usual = _USUAL_WEIGHT * np.log(_USUAL_PER_DAY)
        whole = ((weight * cells.shown).sum() + usual) / (weight.sum() + _USUAL_WEIGHT)
        kind, of_kind = _estimate_effects(cells.kind, weight, cells.shown - whole, of_kind)
        expected = whole + kind.mean[cells.kind]
        host, of_host = _estimate_effects(cells.host, weight, cells.shown - expected, of_host)
        expected = expected + host.mean[cells.host]
        rest = cells.shown - expected
        own, of_cell = _estimate_effects(np.arange(len(known)), cells.precision * known, rest, of_cell)
    left = own.variance / own.prior
    return expected + own.mean, own.variance + left**2 * host.variance[cells.host]


class _GroupEffects(msgspec.Struct, frozen=True, eq=False):
    """What each group adds to a log mean rate."""

    mean: Floats
    variance: Floats
    prior: float
    """The variance of the effects before any observation."""


def _estimate_effects(
    group: Ints, weight: Floats, shown: Floats, prior: float
) -> tuple[_GroupEffects, float]:
    """Return the effects of groups, shrunk towards 0, and the variance between them for the next round."""
    number = int(group.max()) + 1
    precision = _sum_by_group(group, weight, number)
    variance = 1.0 / (precision + 1.0 / prior)
    mean = _sum_by_group(group, weight * shown, number) * variance
    known = precision > 0
    spread = (mean**2 + variance)[known].sum() + _FIRST_VARIANCE
    return _GroupEffects(mean, variance, prior), max(float(spread) / (known.sum() + 1), _LEAST_VARIANCE)


def _sum_by_group(group: Ints, weight: Floats, number: int) -> Floats:
    return np.bincount(group, weight, minlength=number).astype(np.float64)
