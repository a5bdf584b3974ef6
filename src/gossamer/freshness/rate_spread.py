"""How alike the pages of a host change: the shape of the Gamma distribution that their rates are taken to be drawn from.

Empirical Bayes: of some shapes, each is tried for how likely it makes all that was seen. What one host shows counts with the
average of what others show, as if that were some pages more, and with a mild belief in a shape of 1, at which rates are
spread widely: a few pages that were visited twice seem alike, whatever they are.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.freshness.change_rate import Evidence, Floats, Ints, log_likelihoods

# From "most pages hardly ever change" to "all within a tenth".
_SHAPES = np.geomspace(0.5, 128.0, 7)
_PAGES_OF_OTHERS = 50.0
"""What all other hosts show weighs as much as so many pages of the host itself."""
_FACTOR = np.e
"""A shape so many times 1, or less, is as much a surprise as one standard deviation."""
_MOST_PAGES = 10_000
"""So many are looked at, evenly taken: they show it as well as all."""


def shapes(evidence: Evidence, host: Ints, mean: Floats, told: NDArray[np.bool_]) -> Floats:
    """Return the shape for the host of each page, given the mean rates that are expected, by the pages that are told of.

    Cost: that of seven posteriors of 10,000 pages at most.
    """
    hosts = int(host.max()) + 1
    page = np.flatnonzero(told)
    page = page[:: 1 + len(page) // _MOST_PAGES]
    shown = evidence.at(page)
    own = np.stack([_by_host(shown, shape, host[page], mean[page], hosts) for shape in _SHAPES.tolist()])
    others = own.sum(axis=1, keepdims=True) - own
    pages = len(page) - np.bincount(host[page], minlength=hosts)
    surprise = (np.log(_SHAPES) / np.log(_FACTOR)) ** 2 / 2.0
    score = own + others * np.minimum(1.0, _PAGES_OF_OTHERS / np.maximum(pages, 1)) - surprise[:, None]
    weight = np.exp(score - score.max(axis=0))
    mean_log = (weight * np.log(_SHAPES)[:, None]).sum(axis=0) / weight.sum(axis=0)
    found: Floats = np.exp(mean_log)[host]
    return found


def _by_host(shown: Evidence, shape: float, host: Ints, mean: Floats, hosts: int) -> Floats:
    return np.bincount(host, log_likelihoods(shown, shape, mean), minlength=hosts).astype(np.float64)
