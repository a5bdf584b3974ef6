"""A language model is learnt from a crawl of the synthetic web, without any word list."""

import json
from pathlib import Path

import pytest
from tests.crawl.harness import get_world, make_quick_task, run, serve_lab

from gossamer.cli import main
from gossamer.lab.world.world import World
from gossamer.net.main_text.sentences import sentences
from gossamer.store.model_folder import language_model
from gossamer.text.language.training.evaluate_model import evaluate

LANGUAGES = ("en", "da", "fi", "sv")
# A quarter of the pages in any country are in English, and a third of the hosts do not declare the language of theirs.
WORLD = World(
    seed=7, hosts=12, pages=160, languages=LANGUAGES, naming="countries", foreign=0.25, misdeclared=0.3
)
ELSEWHERE = World(seed=8, hosts=12, pages=60, languages=LANGUAGES)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World]:
    """Return the web of a whole world, and the world as it was served."""
    folder = tmp_path_factory.mktemp("languages")
    with serve_lab(WORLD) as running:
        hosts = folder / "hosts"
        hosts.write_text("".join(f"{address} {name}\n" for name, address in WORLD.host_map().items()))
        run(folder / "web", make_quick_task(running, delay_s=0.0, hosts_file=str(hosts)))
        return folder / "web", get_world(running)


def list_sentences(world: World) -> list[tuple[str, str]]:
    """Return the sentences of all pages of a world with their languages."""
    pages = (world.page(url) for url in world.graph().urls)
    return [
        (page.language, sentence)
        for page in pages
        if page is not None
        for sentence in sentences(page.main_text)
        if sentence.count(" ") > 2
    ]


@pytest.mark.slow
def test_lists_of_a_crawl_alone_recognise_95_of_100_sentences(
    crawled: tuple[Path, World], capsys: pytest.CaptureFixture[str]
) -> None:
    web, world = crawled
    assert main.run_verb(["language", "train", "--web", str(web), "--from-nothing", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(report["languages"]) == sorted(LANGUAGES)
    assert report["kept_back"] > 100
    model = language_model(web)
    assert sorted(model.languages) == sorted(LANGUAGES)
    for one in (world, ELSEWHERE):
        found = evaluate(list_sentences(one), model)
        assert found.macro_accuracy >= 0.95, found.list_confusions()[:10]

    # Later verbs on the web use its own model.
    assert main.run_verb(["language", "detect", "--web", str(web), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    right = [line["language"] == getattr(world.page(line["source"]), "language", "") for line in lines]
    assert len(right) > 100
    assert sum(right) / len(right) >= 0.95
    assert main.run_verb(["language", "evaluate", "--web", str(web), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == report["after"]["accuracy"]
