"""Measure how often the first passage of `gossamer ask` holds the answer, next to the snippet of the first answer of a search.

    python bench/passages.py [--half tuned|held|all] [--json] [--misses]

The questions are those of `bench/questions` over Debian's documentation of Python and PostgreSQL. A passage is right if it is on
a right page (`NAME.tsv`) and has one of the answer's texts (`NAME_answers.tsv`): the call, the command, the setting or the words of the
definition that a reader looks for. They were written down from the right pages before there were passages. The peer is the
snippet of the first answer of `gossamer search`, of exactly as many characters as the passage. `short` is the snippet as `search`
shows it, of 240 characters. Odd lines are there to tune on, even lines for the final figure.
"""

import argparse
import contextlib
import json
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gossamer.net.url.canonical_url import canonical
from gossamer.search.answers import snippets
from gossamer.web import Web
from pages import DOCUMENTATION
from search_questions import (
    HALVES,
    HERE,
    SITES,
    Question,
    crawl_documentation,
    list_roots,
    read_questions,
)
from timing import measure_cpu_s

_BEST = 3
_QUOTES = str.maketrans("’‘“”", "''\"\"")

Citation = tuple[str, str]
"""An address, and a text that is shown of it."""


class Judged(NamedTuple):
    """Whether the first text holds the answer, or one of the first three."""

    first: bool
    among: bool


class Result(NamedTuple):
    """What came of one question."""

    question: str
    ask: Judged
    snippet: Judged
    short: Judged


def read_answers(path: Path) -> dict[str, list[str]]:
    """Return the texts of which one belongs to the answer, by question."""
    lines = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {question: [_normalize(text) for text in texts] for question, *texts in lines}


def judge(found: Sequence[Citation], question: Question, answers: Sequence[str]) -> Judged:
    """Say whether texts of right pages hold the answer."""
    right = [
        canonical(url) in question.right and any(answer in _normalize(text) for answer in answers)
        for url, text in found[:_BEST]
    ]
    return Judged(any(right[:1]), any(right))


def _normalize(text: str) -> str:
    return " ".join(text.lower().translate(_QUOTES).split())


@contextlib.contextmanager
def _set_width(characters: int) -> Iterator[None]:
    """Make snippets of another length."""
    before, snippets.WIDTH = snippets.WIDTH, characters
    try:
        yield
    finally:
        snippets.WIDTH = before


def judge_questions(web: Web, name: str, half: str) -> list[Result]:
    """Judge passages and snippets for each question of a set."""
    answers = read_answers(HERE / f"{name}_answers.tsv")
    results = []
    for question in read_questions(HERE / f"{name}.tsv", list_roots(web))[HALVES[half]]:
        passages = [(one.url, one.text) for one in web.ask(question.text).passages]
        width = len(passages[0][1]) if passages else snippets.WIDTH
        judged = [judge(passages, question, answers[question.text])]
        for characters in (width, snippets.WIDTH):
            with _set_width(characters):
                found = [(one.url, one.snippet.text) for one in web.search(question.text).answers]
            judged.append(judge(found, question, answers[question.text]))
        results.append(Result(question.text, *judged))
    return results


def measure_cost(web: Web, name: str) -> float:
    """Return the median CPU time of a question relative to that of a search, in turns over the same questions."""
    questions = [one.text for one in read_questions(HERE / f"{name}.tsv", list_roots(web))]

    def time_all(answer: Callable[[str], object]) -> list[float]:
        return [min(measure_cpu_s(partial(answer, text)) for _ in range(2)) for text in questions]

    searches, asked = time_all(web.search), time_all(web.ask)
    return statistics.median(asked) / statistics.median(searches)


def summarise(results: Sequence[Result]) -> dict[str, float]:
    """Return the shares of questions that were answered, and how passages compare with snippets."""
    figures: dict[str, float] = {}
    for kind in ("ask", "snippet", "short"):
        figures[f"{kind}_first"] = statistics.mean(getattr(one, kind).first for one in results)
        figures[f"{kind}_best_three"] = statistics.mean(getattr(one, kind).among for one in results)
    for kind in ("snippet", "short"):
        for what in ("first", "best_three"):
            figures[f"{what}_vs_{kind}"] = figures[f"ask_{what}"] / max(1e-9, figures[f"{kind}_{what}"])
    return figures


def measure(half: str = "held", misses: bool = False) -> dict[str, float]:
    """Measure the half of the questions that was not tuned on, over both sites."""
    results: list[Result] = []
    figures: dict[str, float] = {}
    costs = []
    for name, package in SITES.items():
        if not (DOCUMENTATION / package / "html" / "index.html").is_file():
            continue
        with crawl_documentation(package) as web:
            found = judge_questions(web, name, half)
            costs.append(measure_cost(web, name))
        results += found
        figures |= {f"passages.{name}.{key}": value for key, value in summarise(found).items()}
        figures[f"passages.{name}.cost_vs_search"] = costs[-1]
    for one in results if misses else ():
        print(f"{one.ask.first:d} {one.snippet.first:d}  {one.question}", file=sys.stderr)
    if len(costs) == len(SITES):
        figures |= {f"passages.{key}": value for key, value in summarise(results).items()}
        figures["passages.cost_vs_search"] = statistics.mean(costs)
    return figures


def main() -> int:
    """Measure passages."""
    parser = argparse.ArgumentParser(description="How often the first passage holds the answer.")
    parser.add_argument("--half", choices=list(HALVES), default="held", help="odd lines, even lines, or all")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument(
        "--misses", action="store_true", help="each question: whether passage and snippet are right"
    )
    arguments = parser.parse_args()
    figures = measure(arguments.half, arguments.misses)
    if not figures:
        raise SystemExit(f"install the documentation: {', '.join(SITES.values())}")
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name} {value:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
