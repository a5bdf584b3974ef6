"""What counts how much when pages are ranked.

Title and feedback are chosen by `bench/search_weights.py` on test collections. With `anchors` from 0.3 to 1.5 all home pages
of the lab's webs are found first by their names, without them 88 in 100; by one word of their names 78 are without `rank`,
85 with 0.5, 77 with 2.0, and other pages fare as well (`bench/search_names.py`).
"""

import msgspec


class Weights(msgspec.Struct, frozen=True):
    """Weights of fields, and the measures of feedback."""

    title_times: int = 4
    """How often the title stands before the text: so it counts as often, and the length of a page with it."""
    headings_times: int = 1
    """How often headings count beside their place in the text."""
    anchors: float = 0.5
    """What a word counts in the texts of links that lead to a page, against 1 in its own text."""
    url: float = 0.3
    """The same for the words of its address."""
    rest: float = 0.2
    """The same for what stands on it beside the main text."""
    parts: float = 0.3
    """The same for parts of compounds, and for compounds whose parts are there."""
    near: float = 0.2
    """What words that stand near each other count, as they were asked for, against 1 for the words themselves."""
    rank: float = 0.5
    """What a page counts for each doubling of its weight by links: 1 for an average one, 2 for three times as much."""
    feedback_pages: int = 8
    """How many of the best pages are taken for good ones."""
    feedback_terms: int = 20
    """How many of their words are asked for."""
    feedback_share: float = 0.4
    """What these words count altogether, against those that were asked for."""
    feedback_most: float = 0.2
    """A word that stands on a larger share of all pages says nothing."""

    def fields(self) -> dict[str, float]:
        """Return what a word counts, by the field of the index that it stands in."""
        return {
            "words": 1.0,
            "anchors": self.anchors,
            "url": self.url,
            "rest": self.rest,
            "parts": self.parts,
        }


WEIGHTS = Weights()
