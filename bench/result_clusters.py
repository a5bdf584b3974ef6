"""Measure result clusters: how well groups of answers match the subtopics that people gave them, their labels and their time.

    python bench/result_clusters.py [RESULTS.jsonl] [--json]

Each line of RESULTS.jsonl is an answer: `query`, `title`, `snippet`, `url`, and `subtopics`, descriptions by people, maybe
none. All answers of the file are the collection that was searched: by it, words that are everywhere count little. The labels
of the answers are never read for grouping.

- ari: adjusted Rand index over the answers that have a subtopic (their first one), mean over queries; the rest is one group.
- subtopic_recall: share of the subtopics with at least two answers that are the most frequent one of some group.
- label_dice, label_hit: words of a label compared with the description of the most frequent subtopic of its group, as lemmas
  and without stop words and words of the query: the Dice coefficient, and the share of labels with a common word; mean over
  the groups with at least two answers that have a subtopic.

The peers are k-means with its top words and Lingo. `halves` is the mean and the standard deviation of ari over random halves of the queries.
"""

import argparse
import gzip
import json
import statistics
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from extraction import DATA
from gossamer.errors import BadInput
from gossamer.search.clusters.cluster_answers import cluster_answers
from gossamer.search.clusters.cluster_records import AnswerGroups, AnswerText, TermSample
from gossamer.search.clusters.sample_terms import count_terms
from gossamer.search.terms.analysis import get_analyser, split_text
from gossamer.search.terms.stop_words import is_stop_word
from result_cluster_peers import run_kmeans, run_lingo
from timing import find_best_times

RESULTS = DATA.parent / "clusters" / "results.jsonl"
LANGUAGE = "en"
ROUNDS = 5
HALVES = 200
FEWEST_LABELLED = 2

Cluster = Callable[[list[AnswerText], str], AnswerGroups]


class Question(NamedTuple):
    """A query, its answers, and the subtopics of each."""

    query: str
    answers: list[AnswerText]
    subtopics: list[list[str]]


def load_questions(path: Path) -> list[Question]:
    """Read the answers of a file by query; raise `BadInput` for a file that is none."""
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
        # Texts may hold other line ends.
        entries = [json.loads(line) for line in filter(str.strip, text.split("\n"))]
        questions = _sort_by_query(entries)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or 'it is a damaged archive'}") from None
    except (ValueError, EOFError, zlib.error, KeyError, TypeError):
        raise BadInput(
            f"{path} is not a file of answers: each line must be a JSON object with query, title, snippet and url"
        ) from None
    if not questions:
        raise BadInput(f"{path} contains no answers")
    return questions


def _sort_by_query(entries: Sequence[dict[str, Any]]) -> list[Question]:
    found: dict[str, Question] = {}
    for entry in entries:
        question = found.setdefault(entry["query"], Question(entry["query"], [], []))
        question.answers.append(AnswerText(entry["title"], entry["snippet"], entry["url"], LANGUAGE))
        question.subtopics.append(entry.get("subtopics") or [])
    return list(found.values())


def make_sample(questions: Sequence[Question]) -> TermSample:
    """Count the terms of all answers: the collection."""
    answers = [answer for question in questions for answer in question.answers]
    return count_terms(answers)


def compute_ari(truth: Sequence[object], found: Sequence[object]) -> float:
    """Return the adjusted Rand index of two groupings (Hubert and Arabie 1985)."""
    pairs = _count_pairs(Counter(zip(truth, found, strict=True)))
    rows, columns = _count_pairs(Counter(truth)), _count_pairs(Counter(found))
    expected = rows * columns / max(1, len(truth) * (len(truth) - 1) / 2)
    most = (rows + columns) / 2
    return 1.0 if most == expected else (pairs - expected) / (most - expected)


def _count_pairs(counts: Counter[Any]) -> float:
    return sum(count * (count - 1) / 2 for count in counts.values())


def score_question(question: Question, found: AnswerGroups) -> dict[str, float]:
    """Score the groups of one query."""
    first = [subtopics[0] if subtopics else "" for subtopics in question.subtopics]
    with_topic = [at for at, subtopic in enumerate(first) if subtopic]
    main = [
        Counter(first[at] for at in with_topic if found.home[at] == number)
        for number in range(len(found.groups))
    ]
    main_topics = {counts.most_common(1)[0][0] for counts in main if counts}
    sizes = Counter(first[at] for at in with_topic)
    wanted = [subtopic for subtopic, count in sizes.items() if count >= FEWEST_LABELLED]
    scores = [
        score_label(group.label, counts.most_common(1)[0][0], question.query)
        for group, counts in zip(found.groups, main, strict=True)
        if sum(counts.values()) >= FEWEST_LABELLED
    ]
    return {
        "ari": compute_ari([first[at] for at in with_topic], [found.home[at] for at in with_topic]),
        "groups": len(set(found.home)),
        "subtopic_recall": sum(one in main_topics for one in wanted) / max(1, len(wanted)),
        "label_dice": statistics.fmean(scores) if scores else 0.0,
        "label_hit": statistics.fmean(score > 0 for score in scores) if scores else 0.0,
    }


def score_label(label: str, description: str, query: str) -> float:
    """Return the Dice coefficient of the lemmas of a label and of a description, without those of the query."""
    known = _list_lemmas(query)
    words, wanted = _list_lemmas(label) - known, _list_lemmas(description) - known
    return 2 * len(words & wanted) / max(1, len(words) + len(wanted))


def _list_lemmas(text: str) -> set[str]:
    analyser = get_analyser(LANGUAGE)
    return {analyser[word] for word in split_text(text) if len(word) > 1 and not is_stop_word(word, LANGUAGE)}


def measure_quality(questions: list[Question], cluster: Cluster) -> dict[str, Any]:
    """Group the answers to all queries; return the means, the most groups, and ari over random halves."""
    scores = [score_question(one, cluster(one.answers, one.query)) for one in questions]
    figures: dict[str, Any] = {
        name: round(statistics.fmean(score[name] for score in scores), 4)
        for name in scores[0]
        if name != "groups"
    }
    figures["most_groups"] = max(int(score["groups"]) for score in scores)
    random = np.random.default_rng(0)
    half = max(1, len(scores) // 2)
    halves = [
        statistics.fmean(scores[at]["ari"] for at in random.permutation(len(scores))[:half])
        for _ in range(HALVES)
    ]
    figures["halves"] = [round(statistics.fmean(halves), 4), round(statistics.pstdev(halves), 4)]
    return figures


def measure_times(questions: list[Question], sample: TermSample) -> dict[str, float]:
    """Return the CPU milliseconds to group 100 answers and 1,000 answers, best of several rounds."""
    few, many = _take_answers(questions, 100), _take_answers(questions, 1000)
    best = find_best_times(
        {
            "ms_100": lambda: cluster_answers(few, questions[0].query, sample),
            "ms_1000": lambda: cluster_answers(many, questions[0].query, sample),
        },
        ROUNDS,
    )
    return {name: round(seconds * 1000, 1) for name, seconds in best.items()}


def _take_answers(questions: list[Question], count: int) -> list[AnswerText]:
    """Return this many answers; those of a short file are repeated."""
    answers = [answer for question in questions for answer in question.answers]
    return (answers * -(-count // len(answers)))[:count]


def run(path: Path, with_peers: bool = True) -> dict[str, dict[str, Any]]:
    """Measure Gossamer, and the peers on request."""
    questions = load_questions(path)
    sample = make_sample(questions)
    figures = {
        "gossamer": measure_quality(questions, lambda answers, query: cluster_answers(answers, query, sample))
        | measure_times(questions, sample)
    }
    if with_peers:
        figures["without collection"] = measure_quality(questions, cluster_answers)
        figures["k-means"] = measure_quality(questions, run_kmeans)
        figures["lingo"] = measure_quality(questions, run_lingo)
    return figures


def measure() -> dict[str, float]:
    """Return the figures for the floors."""
    if not RESULTS.is_file():
        print(f"result_clusters: {RESULTS} is not here, nothing measured", file=sys.stderr)
        return {}
    figures = run(RESULTS)
    own, peers = figures["gossamer"], (figures["k-means"], figures["lingo"])
    names = ("ari", "subtopic_recall", "label_dice", "most_groups", "ms_100", "ms_1000")
    return {f"result_clusters.{name}": own[name] for name in names} | {
        "result_clusters.label_gain": own["label_dice"] - max(peer["label_dice"] for peer in peers)
    }


def main() -> int:
    """Measure the answers of a file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="?", type=Path, default=RESULTS, help="the labelled answers")
    parser.add_argument(
        "--json", action="store_true", help="print the figures of Gossamer as one line of JSON"
    )
    options = parser.parse_args()
    if not options.results.is_file():
        print(f"{options.results} is not here: name the file of labelled answers", file=sys.stderr)
        return 2
    try:
        figures = run(options.results, with_peers=not options.json)
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(figures["gossamer"]))
        return 0
    for name, values in figures.items():
        print(f"{name:20}", "  ".join(f"{key} {value}" for key, value in values.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
