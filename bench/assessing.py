"""Measure assessments on a labelled recorded web: do intervals contain the truth, and do uncertain pages teach more?

    python bench/assessing.py

Labels take the place of judges. Intervals: samples by host are drawn repeatedly, and the benchmark counts how often the
interval of the whole web, and those of its largest hosts, contain the known precision. Teaching: a topic is learnt from
40 judged pages, then four times from 40 more, drawn at random or from those that the topic is least certain of. F1 is
measured each time at a university that was left out; the figure is its mean gain over the first F1.
"""

import statistics
import sys
from collections.abc import Callable, Sequence

from gossamer.assess.records import Verdict
from gossamer.assess.results.precision import compute_overall_precision, compute_precisions
from gossamer.assess.sample.draw_sample import SampleRequest, draw_sample
from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.net.url import host, page_id
from gossamer.records import Page
from gossamer.text.topics import TopicModel, train_topic
from topics import CLASSES, FOLDER, Labelled, load

EVERY_CLASS = (*CLASSES, "department", "staff", "other")
_SAMPLES = 300
_OF_EACH_HOST = 10
_LARGE_HOST = 200
_LEFT_OUT = "wisconsin"
_FIRST, _ROUND, _ROUNDS = (10, 30), 40, 4
_HALF = 0.5


class LabelledWeb:
    """The recording as pages with their labels."""

    def __init__(self, labelled: Sequence[Labelled]) -> None:
        self.labelled = {page_id(one.page.url): one for one in labelled}
        self.pages = {key: _make_page(key, one) for key, one in self.labelled.items()}

    def facts(
        self, keys: Sequence[int], relevance: Callable[[Page], float | None] = lambda _: None
    ) -> list[CrawledPage]:
        """Return pages in the form that samples are drawn from."""
        return [CrawledPage(self.pages[key], "", "", relevance) for key in keys]

    def judge(self, wanted: Sequence[str]) -> dict[int, Verdict]:
        """Return the verdicts of a judge who looks for these classes and makes no mistakes."""
        return {key: "relevant" if one.kind in wanted else "not" for key, one in self.labelled.items()}


def _make_page(key: int, one: Labelled) -> Page:
    url = one.page.url
    return Page(
        key, url, host(url), task=1, depth=0, fetched_s=0.0, status=200, kind="html", title=one.page.title
    )


def measure_coverage(web: LabelledWeb) -> tuple[float, float]:
    """Return how often intervals of the whole web and of large hosts contain the true precision."""
    verdicts = web.judge(CLASSES)
    truth = statistics.mean(verdict == "relevant" for verdict in verdicts.values())
    of_host: dict[str, list[bool]] = {}
    for key, page in web.pages.items():
        of_host.setdefault(page.host, []).append(verdicts[key] == "relevant")
    large = {name: statistics.mean(pages) for name, pages in of_host.items() if len(pages) >= _LARGE_HOST}
    holds, holds_host = [], []
    for seed in range(_SAMPLES):
        wish = SampleRequest(name="s", asked=_OF_EACH_HOST, seed=seed, by=("host",), where="")
        sample = draw_sample(web.facts([*web.pages]), wish, 0.0)
        all_pages = compute_overall_precision(sample, verdicts)
        holds.append(all_pages.low <= truth <= all_pages.high)
        rows = [row for row in compute_precisions(sample, verdicts) if row.values[0] in large]
        holds_host += [row.low <= large[row.values[0]] <= row.high for row in rows]
    return statistics.mean(holds), statistics.mean(holds_host)


def measure_teaching(web: LabelledWeb, wanted: str, seed: int, active: bool) -> list[float]:
    """Return F1 after each round of judging."""
    pool = [key for key, one in web.labelled.items() if one.group != _LEFT_OUT]
    first = [
        _draw_pages(web, [key for key in pool if (web.labelled[key].kind == wanted) == is_it], number, seed)
        for is_it, number in zip((True, False), _FIRST, strict=True)
    ]
    known = [key for some in first for key in some]
    curve = []
    for round_number in range(_ROUNDS + 1):
        model = _train(web, known, wanted)
        curve.append(_measure_f1(web, model, wanted))
        left = [key for key in pool if key not in set(known)]
        known += _draw_pages(web, left, _ROUND, seed + round_number, model if active else None)
    return curve


def _draw_pages(
    web: LabelledWeb, keys: Sequence[int], number: int, seed: int, model: TopicModel | None = None
) -> list[int]:
    """Draw pages at random, or those that a model is least certain of."""
    values = model.relevance_many([web.labelled[key].page for key in keys]) if model else [0.0] * len(keys)
    relevance = dict(zip(keys, values, strict=True))
    wish = SampleRequest(name="s", asked=number, seed=seed, chosen="uncertain" if model else "random")
    return [
        item.page for item in draw_sample(web.facts(keys, lambda page: relevance[page.id]), wish, 0.0).items
    ]


def _train(web: LabelledWeb, known: Sequence[int], wanted: str) -> TopicModel:
    sides: tuple[list[int], list[int]] = ([], [])
    for key in known:
        sides[web.labelled[key].kind != wanted].append(key)
    about, against = ([web.labelled[key].page for key in side] for side in sides)
    return train_topic(about, against)


def _measure_f1(web: LabelledWeb, model: TopicModel, wanted: str) -> float:
    test = [one for one in web.labelled.values() if one.group == _LEFT_OUT]
    found = [value >= _HALF for value in model.relevance_many([one.page for one in test])]
    right = sum(yes and one.kind == wanted for yes, one in zip(found, test, strict=True))
    wrong = sum(yes != (one.kind == wanted) for yes, one in zip(found, test, strict=True))
    return 2 * right / (2 * right + wrong) if right else 0.0


def measure() -> dict[str, float]:
    """Measure the installed recording; return nothing without it."""
    if not FOLDER.is_dir():
        return {}
    web = LabelledWeb(load(FOLDER, EVERY_CLASS))
    of_all, of_hosts = measure_coverage(web)
    gains = {}
    for active in (False, True):
        curves = [measure_teaching(web, wanted, seed=1, active=active) for wanted in CLASSES]
        means = [statistics.mean(curve[at] for curve in curves) for at in range(_ROUNDS + 1)]
        print(f"{'uncertain' if active else 'random'} pages: F1 {means}", file=sys.stderr)
        gains[active] = statistics.mean(means[1:]) - means[0]
    return {
        "assessing.whole_coverage": of_all,
        "assessing.host_coverage": of_hosts,
        "assessing.active_vs_random": gains[True] / gains[False],
    }


if __name__ == "__main__":
    print(measure())
