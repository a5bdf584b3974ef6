"""Weigh pages by how much their freshness matters: in-links, relevance and clicks."""

import numpy as np

from gossamer.freshness.change_rate import Floats

_IRRELEVANT = 0.25
"""The factor for a page of relevance 0."""


def weigh_pages(links: Floats, relevance: Floats, opened: Floats) -> Floats:
    """Return the weight of each page: 1 without in-links, judgement and clicks; the three factors multiply.

    `links` counts the content links that lead here, or is the rank as a multiple of the average. Its square root is used: the
    most linked pages have ten thousand times as many links as others, which would otherwise never be visited.
    `relevance` is between 0 and 1, or below 0 if the page was not judged. Each doubling of `opened`, the number of
    clicks, adds 1 to its factor.
    """
    relevant = np.where(relevance < 0, 1.0, _IRRELEVANT + (1.0 - _IRRELEVANT) * np.minimum(relevance, 1.0))
    weight: Floats = (
        np.sqrt(1.0 + np.maximum(links, 0.0)) * relevant * (1.0 + np.log2(1.0 + np.maximum(opened, 0.0)))
    )
    return weight
