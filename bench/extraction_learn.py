"""Learn the weights of main text from pages with their wanted text, and test them on unseen sites.

    python bench/extraction_learn.py [HTML_DIR GROUND_TRUTH.json] [--rounds 3]

The model is a logistic regression over the names that `choose_main_text.collect_evidence` gives to each fragment. Many of
the names are rare, so weights are not pulled towards zero but towards what people who read web pages expect
(`EXPECTED`): with 181 pages that is worth .004 of F1 on unseen sites. A fragment counts as main when at least
half of its words stand in the wanted text, in the same order. In the test, five folds, pages of one site are
never on both sides.
"""

import argparse
import math
import random
import statistics
import sys
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from extraction import GROUND_TRUTH, HTML_DIR, Page, compute_figures, load, match, split_words
from gossamer.net.html import read
from gossamer.net.html.block_tags import HEADING_TAGS
from gossamer.net.main_text.choose_main_text import choose_fragments, collect_evidence
from gossamer.net.main_text.element_context import RegionContext
from gossamer.net.main_text.main_region import TextMeasure, find_region
from gossamer.net.main_text.text_blocks import lay_out_page

EXPECTED: dict[str, float] = {
    **dict.fromkeys(("in comment", "in nav tag", "in caption tag"), -3.0),
    **dict.fromkeys(("in related", "in share", "in menu", "in advert", "in caption", "in biography"), -2.0),
    **dict.fromkeys(("in page edge", "in side", "in asking"), -2.0),
    **dict.fromkeys(("in footer tag", "in aside tag", "in form tag"), -2.0),
    **dict.fromkeys(("in header tag", "in figure tag", "in unseen"), -1.0),
    "in meta": -2.5,
    "named so itself": -3.0,
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
# Added to the learnt bias: a lost paragraph is worse than a line too many. It costs .001 of F1.
LENIENCE = 0.5
PULL = 10.0  # swept 3 to 30: F1 on unseen sites moves by less than .001
ITERATIONS = 12
FOLDS = 5


class Sample(NamedTuple):
    """The region of one page: for each fragment its text, its evidence, how it counts and whether it is main."""

    page: Page
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
        sums = {
            place: self.bias + sum(self.weights.get(name, 0.0) for name in names)
            for place, names in enumerate(sample.names)
        }
        kept = choose_fragments(sums, sample.headings)
        return "\n".join(text for place, text in enumerate(sample.texts) if place in kept)


def make_sample(page: Page) -> Sample:
    """Lay out a page, collect the evidence and mark what is wanted."""
    containers, fragments = lay_out_page(read(page.body, page.url, "text/html; charset=utf-8"))
    measures = [TextMeasure(fragment, containers.tag[fragment.container]) for fragment in fragments]
    context = RegionContext(containers, fragments, measures, find_region(containers, fragments, measures))
    shares = compute_wanted_shares([fragment.text for fragment in fragments], page.wanted)
    names = list(collect_evidence(containers, fragments, measures, context))
    texts = [fragments[index].text for index in context.members]
    main = [shares[index] >= 0.5 for index in context.members]
    wanted_words = (
        sum(len(split_words(text)) for text, is_main in zip(texts, main, strict=True) if is_main) or 1
    )
    # Long texts count for more, as in the score, but the short ones must be learnt too.
    importance = [10 * min(len(split_words(text)), 80) / wanted_words + 0.1 for text in texts]
    tags = [containers.tag[fragments[index].container] for index in context.members]
    headings = {place for place, tag in enumerate(tags) if tag in HEADING_TAGS}
    return Sample(page, texts, names, importance, main, headings)


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
    """Fit the weights by Newton's method; the bias is pulled nowhere."""
    names = sorted({name for item in samples for found in item.names for name in found})
    column = {name: place for place, name in enumerate(names)}
    rows = [
        ([column[name] for name in found] + [len(names)], importance, float(main))
        for item in samples
        for found, importance, main in zip(item.names, item.importance, item.main, strict=True)
    ]
    expected = [EXPECTED.get(name, 0.0) for name in names] + [0.0]
    pull = [PULL] * len(names) + [1e-3]
    weights = expected[:]
    for _ in range(ITERATIONS):
        gradient = [p * (e - w) for p, e, w in zip(pull, expected, weights, strict=True)]
        hessian = [[pull[i] if i == j else 0.0 for j in range(len(pull))] for i in range(len(pull))]
        for columns, importance, main in rows:
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, sum([weights[c] for c in columns])))))
            slope, curve = importance * (main - chance), importance * chance * (1 - chance)
            for place in columns:
                gradient[place] += slope
                line = hessian[place]
                for other in columns:
                    line[other] += curve
        weights = [w + step for w, step in zip(weights, solve(hessian, gradient), strict=True)]
    return Model(dict(zip(names, weights, strict=False)), weights[-1] + LENIENCE)


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations with a positive definite matrix, by elimination."""
    lines = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for place, pivot in enumerate(lines):
        for line in lines[place + 1 :]:
            factor = line[place] / pivot[place]
            if factor:
                for column in range(place, len(line)):
                    line[column] -= factor * pivot[column]
    result = [0.0] * len(lines)
    for place in range(len(lines) - 1, -1, -1):
        known = sum(lines[place][j] * result[j] for j in range(place + 1, len(lines)))
        result[place] = (lines[place][-1] - known) / lines[place][place]
    return result


def measure_unseen_f1(samples: list[Sample], seed: int) -> float:
    """Return F1 when each page is judged by weights that were learnt without its site."""
    sites = sorted({urlsplit(item.page.url).netloc for item in samples})
    random.Random(seed).shuffle(sites)
    fold = {site: place % FOLDS for place, site in enumerate(sites)}
    matches = []
    for left_out in range(FOLDS):
        held = [item for item in samples if fold[urlsplit(item.page.url).netloc] == left_out]
        model = learn([item for item in samples if fold[urlsplit(item.page.url).netloc] != left_out])
        matches += [match(item.page.wanted, model.text(item)) for item in held]
    return compute_figures(matches)["f1"]


def main() -> int:
    """Print the learnt table, its F1 on the pages it was learnt from, and F1 on unseen sites."""
    parser = argparse.ArgumentParser(description="Learn the weights of main_weights.py.")
    parser.add_argument("html_dir", type=Path, nargs="?", default=HTML_DIR)
    parser.add_argument("ground_truth", type=Path, nargs="?", default=GROUND_TRUTH)
    parser.add_argument("--rounds", type=int, default=3, help="how often the folds are drawn anew")
    options = parser.parse_args()
    samples = [make_sample(page) for page in load(options.html_dir, options.ground_truth)]
    model = learn(samples)
    rounded = Model({name: round(weight, 1) for name, weight in model.weights.items()}, round(model.bias, 1))
    print(f"BIAS = {rounded.bias}")
    for name, weight in sorted(rounded.weights.items(), key=lambda item: item[1]):
        seen = sum(name in found for item in samples for found in item.names)
        print(f'    "{name}": {weight},  # {seen}')
    matches = [match(item.page.wanted, rounded.text(item)) for item in samples]
    print(f"F1 on the pages it was learnt from: {compute_figures(matches)['f1']:.4f}")
    unseen = [measure_unseen_f1(samples, seed) for seed in range(options.rounds)]
    print(f"F1 on unseen sites: {statistics.mean(unseen):.4f} ({', '.join(f'{f1:.4f}' for f1 in unseen)})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
