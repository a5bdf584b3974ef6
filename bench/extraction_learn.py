"""Learn the weights of main text from pages with their wanted text, and test them on unseen sites.

    python bench/extraction_learn.py [--rounds 2]

The pages are those of `extraction.py` (articles with their whole text) and of `extraction_general.py` (pages of every kind
with pieces of text that do and do not belong to it). The model is a logistic regression over the names that
`choose_main_text.collect_evidence` gives to each fragment. Many of the names are rare, so weights are not pulled towards
zero but towards what people who read web pages expect (`EXPECTED`). On an article, a fragment counts as main when at least
half of its words stand in the wanted text, in the same order; on a general page, only fragments with a known piece count.
In the test, five folds over both sets with one model, pages of one site are never on both sides.
"""

import argparse
import random
import sys
from difflib import SequenceMatcher
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from extraction import GROUND_TRUTH, HTML_DIR, Match, Page, compute_figures, load, match, split_words
from extraction import load_trafilatura as load_article_peer
from extraction_general import (
    FOLDER,
    Found,
    GeneralPage,
    collapse,
    compare,
    compute_shares,
    find_pieces,
    load_general,
    load_trafilatura,
)
from gossamer.net.html import read
from gossamer.net.main_text.choose_main_text import choose_fragments, collect_evidence, find_headings
from gossamer.net.main_text.element_context import PageContext
from gossamer.net.main_text.main_region import TextMeasure, find_region
from gossamer.net.main_text.page_layout import make_layout

EXPECTED: dict[str, float] = {
    **dict.fromkeys(("in comment", "in nav tag", "in caption tag"), -3.0),
    **dict.fromkeys(("in related", "in share", "in menu", "in advert", "in caption", "in biography"), -2.0),
    **dict.fromkeys(("in page edge", "in side", "in asking"), -2.0),
    **dict.fromkeys(("in footer tag", "in aside tag", "in form tag"), -2.0),
    **dict.fromkeys(("in header tag", "in figure tag", "in unseen"), -1.0),
    "in meta": -2.5,
    "named so itself": -1.0,
    "named meta itself": -2.0,
    **dict.fromkeys(("in headline", "in page head"), -1.0),
    "in introduction": 1.0,
    "in embed": 0.5,
    "in quote tag": 1.0,
    "h1": -5.0,  # 254 of 258 titles are not part of the wanted text
    "pre": 2.0,
    "cue": -1.0,
    "under cue heading": -1.0,
    "ends a sentence": 0.5,
    "home over 0.4": 1.0,
    "home over 0.8": 0.5,
    "links over 0.5": -0.5,
    "links over 0.8": -0.5,
}
PULL = 3.0  # swept 1 to 6: F1 on unseen sites moves by less than .002
PIECE_IMPORTANCE = 3.0  # swept 1 to 4: general pages gain .007, articles lose .004
FOLDS = 5

Matrix = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """One page: for each fragment its text, its evidence, how it counts and whether it is main."""

    page: Page | GeneralPage
    site: str
    texts: list[str]
    names: list[list[str]]
    importance: list[float]
    main: list[bool]
    headings: set[int]


class Model(NamedTuple):
    """A weight for each name, and what is added to every sum."""

    weights: dict[str, float]
    bias: float

    def text(self, sample: Sample) -> str:
        """Return the main text as these weights see it."""
        sums = [self.bias + sum(self.weights.get(name, 0.0) for name in names) for names in sample.names]
        kept = choose_fragments(sums, sample.headings)
        return "\n".join(text for place, text in enumerate(sample.texts) if place in kept)


def make_sample(page: Page | GeneralPage) -> Sample:
    """Lay out a page, collect the evidence and mark what is wanted."""
    source = page if isinstance(page, Page) else page.page
    content_type = "text/html; charset=utf-8" if isinstance(page, Page) else None
    containers, fragments = make_layout(read(source.body, source.url, content_type)).to_fragments()
    measures = [TextMeasure(fragment, containers.tag[fragment.container]) for fragment in fragments]
    context = PageContext(containers, fragments, measures, find_region(containers, fragments, measures))
    texts = [fragment.text for fragment in fragments]
    main, importance = (
        label_article(texts, page.wanted) if isinstance(page, Page) else label_pieces(texts, page)
    )
    site = urlsplit(source.url).netloc or source.url
    names = list(collect_evidence(containers, fragments, measures, context))
    return Sample(page, site, texts, names, importance, main, find_headings(containers, fragments))


def label_article(texts: list[str], wanted: str) -> tuple[list[bool], list[float]]:
    """Return which texts are wanted and how much each counts: long ones more, as in the score, but short ones too."""
    main = [share >= 0.5 for share in compute_wanted_shares(texts, wanted)]
    sizes = [len(split_words(text)) for text in texts]
    wanted_words = sum(size for size, is_main in zip(sizes, main, strict=True) if is_main) or 1
    return main, [10 * min(size, 80) / wanted_words + 0.1 for size in sizes]


def label_pieces(texts: list[str], page: GeneralPage) -> tuple[list[bool], list[float]]:
    """Return which texts have a wanted piece; texts without a known piece do not count."""
    texts = [collapse(text) for text in texts]
    main, importance = [False] * len(texts), [0.0] * len(texts)
    for piece in page.wanted:
        holders = [place for place, text in enumerate(texts) if piece in text]
        if holders:  # menus and teasers repeat a title or a line of the story
            place = max(holders, key=lambda place: len(texts[place]))
            main[place], importance[place] = True, PIECE_IMPORTANCE
    for piece in page.unwanted:
        for place, text in enumerate(texts):
            # A short piece in a long text is a word that both have.
            if piece in text and not main[place] and (len(piece) > 0.25 * len(text) or len(text) < 100):
                importance[place] = PIECE_IMPORTANCE
    return main, importance


def compute_wanted_shares(texts: list[str], wanted: str) -> list[float]:
    """Return for each text of a page which share of its words the wanted text has, in the order of the page."""
    page_words = [(word, place) for place, text in enumerate(texts) for word in split_words(text)]
    counts, hits = [0] * len(texts), [0] * len(texts)
    for _, place in page_words:
        counts[place] += 1
    matcher = SequenceMatcher(None, [word for word, _ in page_words], split_words(wanted), autojunk=False)
    for run in matcher.get_matching_blocks():
        for _, place in page_words[run.a : run.a + run.size]:
            hits[place] += 1
    return [hit / count if count else 0.0 for hit, count in zip(hits, counts, strict=True)]


def learn(samples: list[Sample]) -> Model:
    """Fit the weights; the bias is pulled nowhere."""
    names = sorted({name for item in samples for found in item.names for name in found})
    column = {name: place for place, name in enumerate(names)}
    rows = [
        ([column[name] for name in found], importance, main)
        for item in samples
        for found, importance, main in zip(item.names, item.importance, item.main, strict=True)
        if importance
    ]
    evidence = np.zeros((len(rows), len(names) + 1))
    evidence[:, -1] = 1
    for place, (columns, _, _) in enumerate(rows):
        evidence[place, columns] = 1
    importance = np.array([row[1] for row in rows])
    main = np.array([row[2] for row in rows], dtype=float)
    expected = np.array([EXPECTED.get(name, 0.0) for name in names] + [0.0])
    pull = np.array([PULL] * len(names) + [1e-3])

    def compute_loss(weights: Matrix) -> tuple[float, Matrix]:
        sums = evidence @ weights
        loss = np.sum(importance * (np.logaddexp(0, sums) - main * sums))
        slope = evidence.T @ (importance * (1 / (1 + np.exp(-sums)) - main))
        return loss + 0.5 * np.sum(pull * (weights - expected) ** 2), slope + pull * (weights - expected)

    weights: Any = minimize(compute_loss, expected, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return Model(dict(zip(names, map(float, weights), strict=False)), float(weights[-1]))


def score(sample: Sample, text: str) -> Match | Found:
    """Compare the text that was found on a page with what is wanted of it."""
    page = sample.page
    return match(page.wanted, text) if isinstance(page, Page) else find_pieces(page, text)


def split_scores(scores: list[Match | Found]) -> tuple[list[Match], list[Found]]:
    """Return the scores of articles and of general pages."""
    articles = [each for each in scores if isinstance(each, Match)]
    return articles, [each for each in scores if isinstance(each, Found)]


def score_unseen(samples: list[Sample], seed: int) -> list[Match | Found]:
    """Score each page by weights that were learnt without its site."""
    sites = sorted({item.site for item in samples})
    random.Random(seed).shuffle(sites)
    fold = {site: place % FOLDS for place, site in enumerate(sites)}
    models = [learn([item for item in samples if fold[item.site] != left_out]) for left_out in range(FOLDS)]
    return [score(item, models[fold[item.site]].text(item)) for item in samples]


def describe(scores: list[Match | Found]) -> str:
    """Return F1, precision and recall on both sets."""
    articles, general = split_scores(scores)
    lines = []
    for name, figures in (("articles", compute_figures(articles)), ("general", compute_shares(general))):
        shown = ", ".join(f"{key} {figures[key]:.4f}" for key in ("f1", "precision", "recall"))
        lines.append(f"{name}: {shown}")
    return "; ".join(lines)


def print_peer(samples: list[Sample], unseen: list[Match | Found]) -> None:
    """Print trafilatura's figures, and the interval of the difference on general pages."""
    article_peer, general_peer = load_article_peer(), load_trafilatura()
    theirs = [
        score(item, article_peer(item.page) if isinstance(item.page, Page) else general_peer(item.page.page))
        for item in samples
    ]
    print(f"trafilatura: {describe(theirs)}")
    low, high = compare(split_scores(unseen)[1], split_scores(theirs)[1])
    print(f"general pages, unseen sites: {low:+.4f} to {high:+.4f} of F1 against trafilatura (95 %)")


def main() -> int:
    """Print the learnt table, its F1 on the pages it was learnt from, and F1 on unseen sites."""
    parser = argparse.ArgumentParser(description="Learn the weights of evidence_weights.py.")
    parser.add_argument("--rounds", type=int, default=2, help="how often the folds are drawn anew")
    options = parser.parse_args()
    pages: list[Page | GeneralPage] = [*load(HTML_DIR, GROUND_TRUTH)]
    pages += load_general(FOLDER)
    samples = [make_sample(page) for page in pages]
    model = learn(samples)
    rounded = Model({name: round(weight, 1) for name, weight in model.weights.items()}, round(model.bias, 1))
    print(f"BIAS = {rounded.bias}")
    for name, weight in sorted(rounded.weights.items(), key=lambda item: item[1]):
        seen = sum(name in found for item in samples for found in item.names)
        print(f'    "{name}": {weight},  # {seen}')
    print(f"learnt from: {describe([score(item, rounded.text(item)) for item in samples])}")
    unseen = [score_unseen(samples, seed) for seed in range(options.rounds)]
    for scores in unseen:
        print(f"unseen sites: {describe(scores)}")
    print_peer(samples, unseen[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
