"""What to expect of a page before it was visited often: how pages of its host and of its kind change.

Empirical Bayes: the rates of a group of pages are taken for draws from a Gamma distribution, which expectation
maximisation fits to what visits of all of them show. Groups are nested: all pages, those of a host, those of one kind on a
host. A small group is drawn towards the larger one by a few pretended pages of it.
"""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.order.fresh_rates import Evidence, Floats, Ints, Moments, Rates, moments

# Swept 1 to 30 on simulated webs of 8,000 pages: 3 and 5 give the freshest copies, 1 and 30 up to 0.5 % less fresh.
_PRETENDED_PAGES = 5.0
# A few pages that were visited twice seem alike, whatever they are: so many more make the shape of a group's Gamma one
# higher at most. Swept 3, 5 and 15 on a hundred pages of the lab: 0.198, 0.203 and 0.212 of the copies stay fresh, 0.230 by
# known rates; on simulated webs of 8,000 pages nothing changes.
_PAGES_A_SHAPE = 15.0
_FIRST_SHAPE = 1.0
# Nobody has visited anything: a change in 30 days, widely spread.
_USUAL_PER_DAY = 1 / 30
_EULER = 0.5772156649
# Of a Gamma of shape 1. Where nobody has ever seen a change it keeps rates from falling to nothing.
_USUAL = Moments(np.array([_USUAL_PER_DAY]), np.array([np.log(_USUAL_PER_DAY) - _EULER]))


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
    changes = evidence.dated[visited].sum() + kept.sum()
    days = evidence.quiet_days[visited].sum() + evidence.gap_days[kept].sum()
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
    prior = before
    for done in range(rounds):
        if done == rounds // 2:
            shape = _alike(evidence, groups, prior, told)
            prior = Rates(shape, shape / prior.mean)
        prior = _fitted(moments(evidence, prior), groups, told, prior.shape, evidence)
    return prior

import math, os
GRID=np.exp(np.linspace(np.log(0.4),np.log(60.0),9))
KAPPA=float(os.environ.get('KAPPA','50')); PEN=float(os.environ.get('PEN','1.0')); INFL=float(os.environ.get('INFL','1'))
def _alike(evidence, groups, prior, told):
    at=np.flatnonzero(told)
    ev=evidence.at(at); mean=prior.mean[at]; host=groups.host[at]; hosts=int(groups.host.max())+1
    own=np.empty((len(GRID),hosts))
    for k,a in enumerate(GRID):
        sh=np.full(len(at),a)
        ll=moments(ev,Rates(sh,sh/mean)).seen-math.lgamma(a)
        own[k]=np.bincount(host,ll,minlength=hosts)
    web=own.sum(axis=1,keepdims=True); n=np.bincount(host,minlength=hosts)
    others=len(at)-n
    score=own+np.minimum(1.0,KAPPA/np.maximum(others,1))*(web-own)-(np.log(GRID)**2/(2*PEN**2))[:,None]
    w=np.exp(score-score.max(axis=0)); w/=w.sum(axis=0)
    return np.exp((w*np.log(GRID)[:,None]).sum(axis=0))[groups.host]

def _fitted(found, groups, told, shape, evidence):
    weight = told.astype(np.float64)
    size = len(weight)
    whole = _together(found, np.zeros(size, np.int64), weight, _USUAL)
    kinds = _together(found, groups.kind, weight, _spread(whole, groups.kinds))
    hosts = _together(found, groups.host, weight, _spread(whole, int(groups.host.max()) + 1))
    cell = groups.host * groups.kinds + groups.kind
    number = len(hosts.mean) * groups.kinds
    of_host, of_kind = np.arange(number) // groups.kinds, np.arange(number) % groups.kinds
    expected = Moments(
        hosts.mean[of_host] * kinds.mean[of_kind] / whole.mean[0],
        hosts.mean_log[of_host] + kinds.mean_log[of_kind] - whole.mean_log[0],
    )
    fitted = _together(found, cell, weight, expected)
    mean=fitted.mean[cell]
    if INFL and False:
        pass
    return Rates(shape, shape / mean)


def _together(found: Moments, group: Ints, weight: Floats, parent: Moments) -> Moments:
    """Average over groups, each with a few pretended pages of its parent."""
    number = len(parent.mean)
    pages = _sums(group, weight, number) + _PRETENDED_PAGES
    mean, mean_log = (_sums(group, weight * each, number) for each in (found.mean, found.mean_log))
    return Moments(
        (mean + _PRETENDED_PAGES * parent.mean) / pages,
        (mean_log + _PRETENDED_PAGES * parent.mean_log) / pages,
    )


def _sums(group: Ints, weight: Floats, number: int) -> Floats:
    return np.bincount(group, weight, minlength=number).astype(np.float64)


def _spread(one: Moments, number: int) -> Moments:
    return Moments(np.repeat(one.mean, number), np.repeat(one.mean_log, number))
