"""How much it matters that a page is fresh: by the links that lead to it, its relevance, and how often people open it."""

import numpy as np

from gossamer.freshness.change_rate import Floats

_IRRELEVANT = 0.25
"""What is left of the weight of a page that has nothing to do with the topic."""


def weights(links: Floats, relevance: Floats, opened: Floats) -> Floats:
    """Return the weight of each page; 1 for one that nobody links to, judged or opened.

    Weights multiply. `links` are pages that link here, or its rank as a multiple of the average; the square root of them,
    since the most linked pages of a web have ten thousand times as many as others, and nobody would visit the others.
    `relevance` is between 0 and 1, and below 0 where nobody judged. Each doubling of the times a page was opened adds
    as much as it had.
    """
    relevant = np.where(relevance < 0, 1.0, _IRRELEVANT + (1.0 - _IRRELEVANT) * np.minimum(relevance, 1.0))
    weight: Floats = (
        np.sqrt(1.0 + np.maximum(links, 0.0)) * relevant * (1.0 + np.log2(1.0 + np.maximum(opened, 0.0)))
    )
    return weight
