"""A topic is learnt from a theme, from a group of answers and from a list of pages of a crawled web."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import Toy, make_link_page, make_quick_task
from tests.unit.context.themes.subjects import SUBJECTS, make_entry

from gossamer.cli import main
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.web import Web

HOST = "127.0.10.9"
EACH = 12
HTML = (("Content-Type", "text/html; charset=utf-8"),)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A web of four subjects, with an index and themes."""
    pages = {
        f"/{subject}-{number}": LabAnswer(
            200, HTML, f"<title>{entry.title}</title><main><p>{entry.main}</p></main>".encode()
        )
        for subject in SUBJECTS
        for number in range(EACH)
        for entry in [make_entry(subject, number)]
    }
    folder = tmp_path_factory.mktemp("lists") / "own.web"
    start = make_link_page(*pages)
    with (
        serving(Toy({HOST: {"/robots.txt": LabAnswer(404), "/": start, **pages}})) as lab,
        Web(folder) as web,
    ):
        web.run([make_quick_task(lab)])
        web.index()
        web.find_themes(len(SUBJECTS))
    return folder


def ask(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    assert main.run_verb([str(one) for one in arguments]) == code
    out, err = capsys.readouterr()
    return str(err or out) if code else str(out)


def score_subjects(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> dict[str, float]:
    """Return how relevant a new text of each subject is to a topic."""
    scores = {}
    for subject in SUBJECTS:
        text = folder.parent / f"{subject}.txt"
        text.write_text(make_entry(subject, EACH + 1).main, "utf-8")
        found: list[dict[str, Any]] = [
            json.loads(line)
            for line in ask(
                capsys, "topics", "score", text, "--topic", name, "--web", folder, "--json"
            ).splitlines()
        ]
        scores[subject] = found[0]["relevance"][name]
    return scores


def check_topic(capsys: pytest.CaptureFixture[str], folder: Path, name: str, subject: str) -> None:
    scores = score_subjects(capsys, folder, name)
    assert max(scores, key=lambda one: scores[one]) == subject
    assert scores[subject] > 0.5 > max(score for other, score in scores.items() if other != subject)


def test_a_theme_becomes_a_topic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    themes = json.loads(ask(capsys, "themes", "--web", folder, "--json"))["themes"]
    steam = next(one for one in themes if "boiler" in one["words"] or "piston" in one["words"])
    ask(capsys, "topics", "train", "engines", "--theme", steam["name"], "--web", folder)
    check_topic(capsys, folder, "engines", "steam")


def test_a_group_of_answers_becomes_a_topic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    groups = json.loads(ask(capsys, "search", "house", "--clusters", "--web", folder, "--json"))["groups"]
    found = next(one for one in groups if one["label"] in SUBJECTS["steam"].split())
    ask(
        capsys,
        *("topics", "train", "pumps", "--query", "house", "--group", found["label"], "--web", folder),
    )
    check_topic(capsys, folder, "pumps", "steam")


def test_a_list_of_pages_becomes_a_topic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Web(folder, create=False) as web:
        urls = [page.url for page in web.store.pages() if "/bread-" in page.url]
    listed = folder.parent / "bread.lst"
    listed.write_text("\n".join(urls))
    ask(capsys, "topics", "train", "baking", "--pages", listed, "--web", folder)
    check_topic(capsys, folder, "baking", "bread")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--theme", "no such theme"], "`gossamer themes` lists them"),
        (["--query", "house", "--group", "no such group"], "have no group 'no such group'"),
        (["--group", "music"], "give the query, too"),
        ([], "describe the topic with"),
    ],
)
def test_what_is_wrong_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    said = ask(capsys, "topics", "train", "wrong", *arguments, "--web", folder, code=2)
    assert told in said
    assert said.count("\n") == 1
