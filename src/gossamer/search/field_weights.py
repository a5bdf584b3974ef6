"""How much each field, whole names, nearness, static rank and feedback count in the ranking.

Fields are combined before saturation, as in BM25F (Robertson, Zaragoza and Taylor 2004): a word of the title counts as several
words of the text, in one field with one length. They were chosen on several collections at once: the odd lines of
`bench/questions`, Cranfield, MEDLINE, and names on the lab's web ([decision 21](docs/decisions/0021-ranking.md) has the figures).
"""

import msgspec


class RankingWeights(msgspec.Struct, frozen=True):
    """Weights of the fields, and the parameters of feedback."""

    title_times: int = 4
    """How often the title is repeated before the text: it counts that often, and so does its length."""
    headings_times: int = 1
    """How often headings count in addition to their place in the text."""
    anchors_times: int = 2
    """How often each different anchor text of links to the page counts, as a part of its text."""
    title: float = 0.5
    """Weight of a word in the title, in addition; less the smaller the word's share of the query is."""
    extra: float = 0.2
    """Weight of a word that is in the address or outside the main text only; a word of the text weighs 1."""
    parts: float = 0.3
    """Weight of parts of compounds, and of compounds whose parts are on the page."""
    whole_title: float = 0.7
    """Score of a page whose title is the query, in multiples of the rarity of the query's words; in addition to the next two."""
    whole_exact: float = 0.3
    """The same, if its title or a part of the title is the query, word for word."""
    whole_name: float = 1.0
    """The same, in any form of the words."""
    whole_anchor: float = 0.6
    """The same, if a link text to the page is the query, in any form of the words, and its title is not."""
    near: float = 0.2
    """Weight of two query words that stand near each other, in the order of the query; the words themselves weigh 1."""
    coverage: float = 0.2
    """Score of a page that has all words of a short query, in multiples of their rarity."""
    lists: float = 0.5
    """What a page loses that is only a list of links, in multiples of the rarity of the query's words."""
    rank: float = 0.15
    """Score for each doubling of the weight that links give a page: 1 for an average page, 2 for one with three times as much."""
    feedback_pages: int = 8
    """How many of the best pages count as relevant."""
    feedback_terms: int = 20
    """How many of their terms are added to the query."""
    feedback_share: float = 0.4
    """Total weight of the added terms; the query's own terms have the rest."""
    feedback_most: float = 0.2
    """Terms on a larger share of all pages are not added."""


WEIGHTS = RankingWeights()
