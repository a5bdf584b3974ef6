"""Weights of pages multiply links, relevance and openings."""

import numpy as np

from gossamer.freshness.page_weight import weigh_pages


def test_links_relevance_and_openings_multiply() -> None:
    found = weigh_pages(
        np.array([0.0, 3.0, 0.0, 0.0, 3.0]),
        np.array([-1.0, -1.0, 0.0, -1.0, 1.0]),
        np.array([0.0, 0.0, 0.0, 3.0, 3.0]),
    )
    assert found.tolist() == [1.0, 2.0, 0.25, 3.0, 6.0]
