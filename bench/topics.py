"""Measure how well topics recognise the classes of pages on a labelled recorded web, one group left out in turn.

    python bench/topics.py [DIR] [--json] [--kind linear] [--without FIELD]… [--inside] [--calibration] [--peers] [--fit]

DIR contains recordings (*.warc.gz) and labels.tsv with the columns url, class and another one, the group. A topic is learnt
for each class against the other classes; a page gets the class whose topic finds it most probable. Each group is left out
once: the topics are learnt from all other groups; pages of MISC are never left out. The figure is the mean over the groups
of the share of pages with the right class. `--inside` leaves out pairs of groups and measures one of them: settings are
chosen by it, so that the group on which they are measured has no influence on them.
`--fit` compares the fitting and calibration of one topic with scikit-learn's on the same features, and what importing
each costs (docs/decisions/0015-linear-topic-model.md).
"""

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from extraction import DATA
from gossamer.errors import BadUrl
from gossamer.lab.recordings.read_warc import read_answer, read_records
from gossamer.net import html
from gossamer.net.html.document import Document
from gossamer.net.url import canonical
from gossamer.text.topics import KINDS, Example, Kind, train_topic
from gossamer.text.topics.features.page_features import (
    CountTable,
    build_table,
    choose_columns,
    count_features,
)
from gossamer.text.topics.features.term_weights import score_pages, weigh_terms
from gossamer.text.topics.training.calibration import fit_curve
from gossamer.text.topics.training.cross_validation import assign_folds, measure_held_out
from gossamer.text.topics.training.fit_weights import LinearWeights, fit_linear

FOLDER = DATA.parent / "webkb"
CLASSES = ("course", "faculty", "project", "student")
UNGROUPED = "misc"
OTHER = "other"
_MOST_LINKS = 100

Teach = Callable[[Sequence[Example], Sequence[str]], Callable[[Sequence[Example]], Sequence[str]]]
"""Takes examples and their classes; returns a function that classifies pages."""


class Labelled(NamedTuple):
    """A page with its class and group."""

    page: Example
    kind: str
    group: str


def load(folder: Path, classes: Sequence[str] = ()) -> list[Labelled]:
    """Read the pages of some classes, with the texts of links to them and the titles of the linking pages."""
    labels = _read_labels(folder / "labels.tsv")
    known = {kind for kind, _ in labels.values()}
    classes = classes or [kind for kind in CLASSES if kind in known] or sorted(known - {OTHER})
    documents = _read_documents(folder)
    called, linked_from = _collect_links(documents)
    found = []
    for url, (kind, group) in labels.items():
        document = documents.get(url)
        if document is not None and kind in classes:
            headings = tuple(heading.text for heading in document.headings)
            sources = tuple(linked_from[url].values())[:_MOST_LINKS]
            page = Example(
                document.text, document.title, url, headings, tuple(called[url][:_MOST_LINKS]), sources
            )
            found.append(Labelled(page, kind, group))
    return found


def _read_labels(path: Path) -> dict[str, tuple[str, str]]:
    """Read the class and the group of each page."""
    header, *lines = [line.rstrip("\r").split("\t") for line in path.read_text("utf-8").split("\n")]
    url, kind = header.index("url"), header.index("class")
    group = next(place for place in range(len(header)) if place not in (url, kind))
    return {_canonicalize(row[url]): (row[kind], row[group]) for row in lines if len(row) >= len(header)}


def _canonicalize(url: str) -> str:
    try:
        return canonical(url)
    except BadUrl:
        return url


def _read_documents(folder: Path) -> dict[str, Document]:
    found = {}
    for path in sorted(folder.glob("*.warc*")):
        for record in read_records(path):
            if record.url:
                answer = read_answer(path, record.offset, 0.0)
                types = [value for name, value in answer.headers if name.lower() == "content-type"]
                found[_canonicalize(record.url)] = html.read(
                    answer.body, record.url, types[0] if types else None
                )
    return found


def _collect_links(documents: dict[str, Document]) -> tuple[dict[str, list[str]], dict[str, dict[str, str]]]:
    """Return for each page the texts of links to it, and the titles of the linking pages."""
    called: dict[str, list[str]] = defaultdict(list)
    linked_from: dict[str, dict[str, str]] = defaultdict(dict)
    for source, document in documents.items():
        for link in document.links:
            target = link.url.partition("#")[0]
            if target != source and target in documents:
                called[target].append(link.text)
                linked_from[target][source] = document.title
    return called, linked_from


def make_topic_teacher(kind: Kind) -> Teach:
    """Return a teacher that learns a topic for each class."""

    def teach(
        pages: Sequence[Example], classes: Sequence[str]
    ) -> Callable[[Sequence[Example]], Sequence[str]]:
        names = sorted(set(classes))
        models = []
        for name in names:
            sides: tuple[list[Example], list[Example]] = ([], [])
            for page, one in zip(pages, classes, strict=True):
                sides[one != name].append(page)
            models.append(train_topic(*sides, kind))

        def classify(asked: Sequence[Example]) -> Sequence[str]:
            chances = zip(*(model.relevance_many(asked) for model in models), strict=True)
            return [names[one.index(max(one))] for one in chances]

        return classify

    return teach


def measure_accuracies(labelled: Sequence[Labelled], teach: Teach, inside: bool = False) -> dict[str, float]:
    """Return the share of each group's pages that get the right class from the other groups."""
    groups = sorted({one.group for one in labelled} - {UNGROUPED})
    if not inside:
        return {group: _measure_accuracy(labelled, teach, {group}, group) for group in groups}
    pairs = itertools.permutations(groups, 2)
    return {
        f"{judged} without {left}": _measure_accuracy(labelled, teach, {left, judged}, judged)
        for left, judged in pairs
    }


def _measure_accuracy(labelled: Sequence[Labelled], teach: Teach, left_out: set[str], judged: str) -> float:
    taught = [one for one in labelled if one.group not in left_out]
    asked = [one for one in labelled if one.group == judged]
    found = teach([one.page for one in taught], [one.kind for one in taught])([one.page for one in asked])
    return statistics.mean(kind == one.kind for kind, one in zip(found, asked, strict=True))


def measure_calibration(labelled: Sequence[Labelled]) -> dict[str, object]:
    """Measure the error of probabilities on groups that were left out, each class against the others."""
    chances: list[float] = []
    about: list[bool] = []
    for group in sorted({one.group for one in labelled} - {UNGROUPED}):
        asked = [one for one in labelled if one.group == group]
        for kind in sorted({one.kind for one in labelled}):
            sides: tuple[list[Example], list[Example]] = ([], [])
            for one in labelled:
                if one.group != group:
                    sides[one.kind != kind].append(one.page)
            chances += train_topic(*sides).relevance_many([one.page for one in asked])
            about += [one.kind == kind for one in asked]
    found = measure_held_out(np.array(chances), np.array(about), 0)
    error = sum(one.pages * abs(one.foreseen - one.found) for one in found.bins) / found.pages
    return {"calibration_error": error, **msgspec.to_builtins(found)}


def remove_fields(labelled: Sequence[Labelled], fields: Sequence[str]) -> list[Labelled]:
    """Return the pages without some of their fields."""
    blank = {name: () if name in ("headings", "anchors", "linked_from") else "" for name in fields}
    return [one._replace(page=msgspec.structs.replace(one.page, **blank)) for one in labelled]


def load_peers() -> dict[str, Teach]:
    """Return scikit-learn's classifiers on the words of a page, with its default settings."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    def make_teacher(make: Callable[[], object]) -> Teach:
        def teach(
            pages: Sequence[Example], classes: Sequence[str]
        ) -> Callable[[Sequence[Example]], Sequence[str]]:
            line = make()
            line.fit([_join_text(page) for page in pages], classes)  # type: ignore[attr-defined]
            return lambda asked: list(line.predict([_join_text(page) for page in asked]))  # type: ignore[attr-defined]

        return teach

    return {
        "linear SVM": make_teacher(
            lambda: make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2), LinearSVC())
        ),
        "naive Bayes": make_teacher(lambda: make_pipeline(CountVectorizer(min_df=2), MultinomialNB())),
    }


def _join_text(page: Example) -> str:
    return f"{page.title}\n{page.text}"


_IMPORTS = {
    "python alone": "pass",
    "numpy": "import numpy",
    "gossamer": "import gossamer.text.topics",
    "scikit-learn": "import sklearn.svm, sklearn.calibration",
}
_IMPORT_COST = """
import json, time
began = time.process_time()
{statement}
took = time.process_time() - began
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps([took, int(status["VmRSS"].split()[0]) / 1024]))
"""


def measure_imports(runs: int = 7) -> dict[str, dict[str, float]]:
    """Return the median processor time of importing, and the memory of the process afterwards."""
    costs: dict[str, list[list[float]]] = defaultdict(list)
    for _ in range(runs):
        for name, statement in _IMPORTS.items():
            program = _IMPORT_COST.format(statement=statement)
            output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
            costs[name].append(json.loads(output))
    return {
        name: {
            "cpu_s": statistics.median(run[0] for run in found),
            "mb": statistics.median(run[1] for run in found),
        }
        for name, found in costs.items()
    }


def compare_fit(labelled: Sequence[Labelled], rounds: int = 5) -> dict[str, object]:
    """Fit and calibrate each class against the others, with our code and scikit-learn's, on the same features."""
    from scipy.sparse import csr_matrix
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    counts = [count_features(one.page) for one in labelled]
    table = build_table(counts, choose_columns(counts, 2))
    weighted = weigh_terms("linear", table, np.ones(len(table.ids)))
    matrix = csr_matrix((weighted.values, weighted.columns, weighted.starts), (table.rows, len(table.ids)))
    times: dict[str, list[float]] = defaultdict(list)
    agreements: list[float] = []
    for kind in sorted({one.kind for one in labelled}):
        about = np.array([one.kind == kind for one in labelled])
        ways: dict[str, Callable[[], object]] = {
            "ours, fit": lambda about=about: fit_linear(table, about),  # type: ignore[misc]
            "LinearSVC, fit": lambda about=about: LinearSVC().fit(matrix, about),  # type: ignore[misc]
            "ours, five folds and curve": lambda about=about: fit_curve(_score_held_out(table, about), about),  # type: ignore[misc]
            "CalibratedClassifierCV, five folds": lambda about=about: CalibratedClassifierCV(  # type: ignore[misc]
                LinearSVC(), cv=5
            ).fit(matrix, about),
        }
        found: dict[str, object] = {}
        for _ in range(rounds):
            for name, fit in ways.items():
                began_s = time.process_time()
                found[name] = fit()
                times[name].append(time.process_time() - began_s)
        ours, theirs = found["ours, fit"], found["LinearSVC, fit"]
        assert isinstance(ours, LinearWeights)
        scores = score_pages("linear", table, ours.scales, ours.weights) + ours.bias
        agreements.append(float(np.corrcoef(scores, theirs.decision_function(matrix))[0, 1]))  # type: ignore[attr-defined]
    return {
        "pages": table.rows,
        "columns": len(table.ids),
        "entries": len(table.columns),
        "cpu_s": {name: statistics.median(found) for name, found in times.items()},
        "least correlation of scores": min(agreements),
        "ms a page, one at a time": measure_scoring(labelled),
        "imports": measure_imports(),
    }


def measure_scoring(labelled: Sequence[Labelled], pages: int = 300) -> dict[str, float]:
    """Return the milliseconds of judging one page at a time by its title and text, as a crawl does."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    kind = labelled[0].kind
    plain = [one._replace(page=Example(one.page.text, one.page.title)) for one in labelled]
    model = train_topic(
        [one.page for one in plain if one.kind == kind], [one.page for one in plain if one.kind != kind]
    )
    line = make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2, ngram_range=(1, 2)), LinearSVC())
    line.fit([_join_text(one.page) for one in plain], [one.kind == kind for one in plain])
    asked = [one.page for one in plain[:: max(1, len(plain) // pages)]]
    ways: dict[str, Callable[[Example], object]] = {
        "ours": lambda page: model.relevance(page.text, title=page.title),
        "scikit-learn": lambda page: line.decision_function([_join_text(page)]),
    }
    times = {}
    for name, score in ways.items():
        began_s = time.process_time()
        for page in asked:
            score(page)
        times[name] = 1000 * (time.process_time() - began_s) / len(asked)
    return times | {"characters": statistics.mean(len(page.text) for page in asked)}


def _score_held_out(table: CountTable, about: NDArray[np.bool_]) -> NDArray[np.float64]:
    folds = assign_folds(about, [""] * table.rows)
    scores = np.zeros(table.rows)
    for fold in range(folds.number):
        held_out = folds.by_page == fold
        learnt = fit_linear(table.select_rows(~held_out), about[~held_out])
        rows = table.select_rows(held_out)
        scores[held_out] = score_pages("linear", rows, learnt.scales, learnt.weights) + learnt.bias
    return scores


def measure() -> dict[str, float]:
    """Measure the installed recording; return nothing without it."""
    if not FOLDER.is_dir():
        return {}
    return {
        "topics.accuracy": statistics.mean(
            measure_accuracies(load(FOLDER), make_topic_teacher("linear")).values()
        )
    }


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Accuracy of classes of pages, one group left out in turn.")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER, help="with recordings and labels.tsv")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--kind", choices=KINDS, default="linear", help="of model")
    parser.add_argument("--classes", default="", help="the classes to compare, such as course,student")
    parser.add_argument(
        "--without", action="append", default=[], help="a field to remove, such as linked_from"
    )
    parser.add_argument("--inside", action="store_true", help="judge by pairs of groups, to choose settings")
    parser.add_argument(
        "--calibration", action="store_true", help="the error of probabilities on the group left out"
    )
    parser.add_argument("--peers", action="store_true", help="also scikit-learn, on title and text")
    parser.add_argument(
        "--fit", action="store_true", help="fitting and importing, compared with scikit-learn"
    )
    return parser.parse_args()


def main() -> int:
    """Measure one recording."""
    arguments = _parse_arguments()
    labelled = remove_fields(
        load(arguments.folder, list(filter(None, arguments.classes.split(",")))), arguments.without
    )
    if not {one.group for one in labelled} - {UNGROUPED}:
        print(
            f"{arguments.folder} has no page of these classes in a group that can be left out",
            file=sys.stderr,
        )
        return 2
    if arguments.calibration:
        print(json.dumps(measure_calibration(labelled), indent=None if arguments.json else 2))
        return 0
    if arguments.fit:
        print(json.dumps(compare_fit(labelled), indent=None if arguments.json else 2))
        return 0
    ways = {arguments.kind: make_topic_teacher(arguments.kind)} | (load_peers() if arguments.peers else {})
    figures: dict[str, object] = {"pages": len(labelled)}
    for name, teach in ways.items():
        began_s = time.process_time()
        found = measure_accuracies(labelled, teach, arguments.inside)
        figures[name] = {
            "accuracy": statistics.mean(found.values()),
            **found,
            "cpu_s": time.process_time() - began_s,
        }
        figures.setdefault("accuracy", statistics.mean(found.values()))
    print(json.dumps(figures, indent=None if arguments.json else 2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
