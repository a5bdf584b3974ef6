"""Fit how similar the change rates of a host's pages are: the shape of their Gamma distribution.

Empirical Bayes: each of a few shapes is scored by the likelihood of all evidence. A host's own evidence is combined with
the average of the other hosts, which counts as a number of extra pages, and with a mild prior for shape 1, at which rates
are widely spread: a few pages that were visited twice always look similar.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.freshness.change_rate import Evidence, Floats, Ints, log_likelihoods

# From "most pages hardly ever change" to "all rates within a tenth".
_SHAPES = np.geomspace(0.5, 128.0, 7)
_PAGES_OF_OTHERS = 50.0
"""The evidence of all other hosts counts as much as this many pages of the host itself."""
_FACTOR = np.e
"""A shape this many times above or below 1 is one standard deviation away."""
_MOST_PAGES = 10_000
"""At most this many evenly spaced pages are used: they give the same result as all."""


def fit_shapes(evidence: Evidence, host: Ints, mean: Floats, known: NDArray[np.bool_]) -> Floats:
    """Return the shape of each page's host, given the expected mean rates and the pages with evidence.

    Cost: that of seven posteriors of at most 10,000 pages.
    """
    hosts = int(host.max()) + 1
    page = np.flatnonzero(known)
    page = page[:: 1 + len(page) // _MOST_PAGES]
    shown = evidence.at(page)
    own = np.stack([_sum_by_host(shown, shape, host[page], mean[page], hosts) for shape in _SHAPES.tolist()])
    others = own.sum(axis=1, keepdims=True) - own
    pages = len(page) - np.bincount(host[page], minlength=hosts)
    surprise = (np.log(_SHAPES) / np.log(_FACTOR)) ** 2 / 2.0
    score = own + others * np.minimum(1.0, _PAGES_OF_OTHERS / np.maximum(pages, 1)) - surprise[:, None]
    weight = np.exp(score - score.max(axis=0))
    mean_log = (weight * np.log(_SHAPES)[:, None]).sum(axis=0) / weight.sum(axis=0)
    found: Floats = np.exp(mean_log)[host]
    return found


def _sum_by_host(shown: Evidence, shape: float, host: Ints, mean: Floats, hosts: int) -> Floats:
    return np.bincount(host, log_likelihoods(shown, shape, mean), minlength=hosts).astype(np.float64)
