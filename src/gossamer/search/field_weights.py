"""How much each field, nearness, static rank and feedback count in the ranking.

Title and feedback are chosen by `bench/search_weights.py` on test collections. With `anchors` from 0.3 to 1.5, every home page
of the lab's webs is the first answer to its name; without anchors, 88 in 100 are. For one word of the name, 78 in 100 are without
`rank`, 85 with 0.5 and 77 with 2.0; other pages do not change (`bench/search_names.py`).
"""

import msgspec


class RankingWeights(msgspec.Struct, frozen=True):
    """Weights of the fields, and the parameters of feedback."""

    title_times: int = 4
    """How often the title is repeated before the text: it counts that often, and so does its length."""
    headings_times: int = 1
    """How often headings count in addition to their place in the text."""
    anchors: float = 0.5
    """Weight of a word in anchor texts of links to the page; a word in the page's own text weighs 1."""
    url: float = 0.3
    """Weight of a word in the page's address."""
    rest: float = 0.2
    """Weight of a word outside the main text."""
    parts: float = 0.3
    """Weight of parts of compounds, and of compounds whose parts are on the page."""
    near: float = 0.2
    """Weight of two query words that stand near each other, in the order of the query; the words themselves weigh 1."""
    rank: float = 0.5
    """Score for each doubling of the weight that links give a page: 1 for an average page, 2 for one with three times as much."""
    feedback_pages: int = 8
    """How many of the best pages count as relevant."""
    feedback_terms: int = 20
    """How many of their terms are added to the query."""
    feedback_share: float = 0.4
    """Total weight of the added terms; the query's own terms have the rest."""
    feedback_most: float = 0.2
    """Terms on a larger share of all pages are not added."""

    def by_field(self) -> dict[str, float]:
        """Return the weight of a word in each field of the index."""
        return {
            "words": 1.0,
            "anchors": self.anchors,
            "url": self.url,
            "rest": self.rest,
            "parts": self.parts,
        }


WEIGHTS = RankingWeights()
