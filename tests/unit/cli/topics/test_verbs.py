"""`gossamer topics train`, `show` and `score`."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.text.topics.topic_pages import COOKING, STARS, page

from gossamer.assess.judgements import save_judgements, save_sample
from gossamer.assess.records import Item, Judgement, Sample
from gossamer.cli import main
from gossamer.config import TaskSpec
from gossamer.crawl.from_archive.topic_examples import TopicExamples
from gossamer.store.model_folder import topic_model
from gossamer.topic_training.task_topic import resolve_topic
from gossamer.web import Web

Topics = Callable[..., str]
TEXT = "recipes for soup and bread, with butter, garlic and onion"


@pytest.fixture
def topics(capsys: pytest.CaptureFixture[str]) -> Topics:
    def run(*arguments: str | Path, code: int = 0) -> str:
        assert main.run_verb(["topics", *map(str, arguments)]) == code
        out, err = capsys.readouterr()
        assert (err.count("\n"), out) == (1, "") if code else err == ""
        return err or out

    return run


def run_json(topics: Topics, *arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(topics(*arguments, "--json"))
    return found


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders: HTML about cooking, texts about stars."""
    cooking, stars = tmp_path / "cooking", tmp_path / "stars"
    for folder, words, ending in ((cooking, COOKING, "html"), (stars, STARS, "txt")):
        (folder / "below").mkdir(parents=True)
        for seed in range(12):
            one = page(words, seed)
            title = f"<title>{one.title}</title>" if ending == "html" else ""
            place = folder / "below" if seed % 2 else folder
            (place / f"{seed}.{ending}").write_text(f"{title}{one.text}", "utf-8")
    return cooking, stars


def test_a_topic_is_trained_shown_and_used(
    topics: Topics, folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = tmp_path / "new.web"
    learnt = run_json(
        topics, "train", "food", "--examples", folders[0], "--against", folders[1], "--new", "--web", web
    )
    assert (learnt["examples"], learnt["against"], learnt["kind"]) == (12, 12, "linear")
    assert learnt["tried"]["precision"] == learnt["tried"]["recall"] == 1
    assert Path(learnt["model"]) == web / "models" / "topic-food.bin"
    shown = topics("show", "food", "--web", web)
    assert "precision 100.0%, recall 100.0%" in shown
    assert any(word in shown for word in COOKING)
    assert run_json(topics, "show", "--web", web)["topics"][0]["name"] == "food"
    asked = tmp_path / "asked.txt"
    asked.write_text(page(COOKING, 99).text)
    assert run_json(topics, "score", asked, "--web", web)["relevance"]["food"] > 0.8
    monkeypatch.chdir(tmp_path)  # a long path would be folded in the table
    assert asked.name in topics("score", asked.name, "--topic", "food", "--web", web)


@pytest.mark.slow  # matplotlib takes a second to load
def test_a_topic_is_drawn(topics: Topics, folders: tuple[Path, Path], tmp_path: Path) -> None:
    web, picture = tmp_path / "new.web", tmp_path / "food.svg"
    sides = ("--examples", folders[0], "--against", folders[1])
    topics("train", "food", *sides, "--plot", picture, "--new", "--web", web)
    drawn = picture.read_text("utf-8")
    assert "Calibration" in drawn
    assert any(f">{word}<" in drawn for word in COOKING)
    topics("show", "food", "--plot", tmp_path / "food.html", "--web", web)
    assert "Most typical words" in (tmp_path / "food.html").read_text("utf-8")


def test_a_text_is_an_example_against_pages_and_general_words(topics: Topics, web: Path) -> None:
    learnt = run_json(topics, "train", "food", "--text", TEXT, "--web", web)
    with Web(web, create=False) as opened:
        pages = sum(one.kind == "html" and one.status == 200 for one in opened.store.pages())
    assert learnt["against"] == pages + 100
    model = topic_model(web, "food")
    assert (
        model.relevance("bread soup with garlic and butter")
        > 0.5
        > model.relevance("the moon and the planets")
    )


def pages_of(folder: Path) -> list[tuple[int, str, str]]:
    with Web(folder, create=False) as web:
        return [
            (one.id, one.url, one.host)
            for one in web.store.pages()
            if one.kind == "html" and one.status == 200
        ]


def test_pages_of_the_web_are_examples(topics: Topics, web: Path, tmp_path: Path) -> None:
    pages = pages_of(web)
    host = pages[-1][2]
    (tmp_path / "list.txt").write_text(
        "\n".join(url for _, url, of in pages if of == host) + "\nhttp://gone.example/\n"
    )
    learnt = run_json(
        topics, "train", "host", "--examples", tmp_path / "list.txt", "--kind", "cosine", "--web", web
    )
    own = sum(of == host for _, _, of in pages)
    assert learnt["examples"] == own
    assert learnt["against"] == len(pages) - own + 100
    assert (
        0
        <= run_json(topics, "score", pages[-1][1], "--topic", "host", "--web", web)["relevance"]["host"]
        <= 1
    )


def test_judged_pages_are_examples(topics: Topics, web: Path) -> None:
    pages = pages_of(web)[:12]
    items = tuple(Item(number) for number, _, _ in pages)
    said = [
        Judgement("me", number, "relevant" if at % 3 == 0 else "not", at, 0.0)
        for at, (number, _, _) in enumerate(pages, 1)
    ]
    with Web(web, create=False) as opened:
        save_sample(opened.store, Sample("one", 12, 1, items=items))
        save_judgements(opened.store, "one", said)
        save_sample(opened.store, Sample("none", 12, 1, items=items))
        save_judgements(opened.store, "none", said[:2])
    learnt = run_json(topics, "train", "judged", "--judged", "one", "--web", web)
    assert (learnt["examples"], learnt["against"]) == (4, 8)
    assert "has been judged relevant" in topics("train", "x", "--judged", "none", "--web", web, code=2)


def test_link_texts_belong_to_an_example(crawled: Path) -> None:
    with Web(crawled, create=False) as web:
        examples = TopicExamples(web.store, crawled / "archive")
        titles = {one.title for one in web.store.pages()}
        found = list(examples.read_pages([number for number, _, _ in pages_of(crawled)]))
        assert all(one.text and one.url for one in found)
        linked = [one for one in found if one.anchors]
        assert len(linked) > len(found) / 2
        assert all(set(one.linked_from) <= titles for one in linked)
        assert examples.find_by_url("http://nowhere.example/") is None


@pytest.mark.slow  # an index is built
def test_results_of_a_query_are_examples(topics: Topics, web: Path) -> None:
    assert "has no index yet" in topics("train", "x", "--query", "word", "--web", web, code=2)
    with Web(web, create=False) as opened:
        opened.index()
        titles = [one.title for one in opened.store.pages() if one.title]
        word = next(
            word for title in titles for word in title.split() if 0 < len(opened.pages_found(word)) < 10
        )
    learnt = run_json(topics, "train", "asked", "--query", word, "--web", web)
    assert 0 < learnt["examples"] < 10
    with Web(web, create=False) as opened:
        name = resolve_topic(TaskSpec(topic=f"query:{word}"), opened).topic
        by_field = resolve_topic(TaskSpec(topic=f"query:title:{word}"), opened).topic
    card, of_field = topic_model(web, name).card, topic_model(web, by_field).card
    assert [one.text for one in card.kept] == [word], "a crawl adapts to the words of its query"
    assert card.pages_read > 0 == of_field.pages_read, (
        "a query without words outside of fields has examples alone"
    )
    assert "finds nothing in the web" in topics("train", "x", "--query", "xyzzyplugh", "--web", web, code=2)
    assert "finds every page" in topics("train", "x", "--query", "depth:0..", "--web", web, code=2)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "x"], "describe the topic"),
        (["train", "x", "--text", "  "], "describe the topic"),
        (["train", "x/y", "--text", TEXT], "cannot be the name of a topic"),
        (["train", "x", "--text", TEXT, "--kind", "tree"], "no kind of model 'tree'"),
        (["train", "x", "--examples", "nowhere"], "no file or folder nowhere"),
        (
            ["train", "x", "--examples", "http://nowhere.example/"],
            "the web has no text of http://nowhere.example/",
        ),
        (["train", "x", "--examples", "http://"], "is not the URL of a page"),
        (["train", "x", "--judged", "nothing"], "nothing"),
        (["train", "x", "--text", TEXT, "--plot", "x.gif"], "must end with"),
        (["show", "nobody"], "has no topic 'nobody'; it has none"),
        (["score", "x.txt", "--topic", "nobody"], "has no topic 'nobody'"),
        (["score", "x.txt"], "has no topics yet"),
    ],
)
def test_wrong_use_gets_one_sentence(
    topics: Topics, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    Web(tmp_path / "new.web").close()
    assert sentence in topics(*arguments, "--web", tmp_path / "new.web", code=2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "x", "--text", TEXT],
        ["train", "x", "--examples", "http://a.example/"],
        ["show"],
        ["show", "x"],
        ["score", "x.txt"],
        ["score", "http://a.example/", "--topic", "x"],
        ["report"],
    ],
)
def test_a_missing_web_is_reported_and_not_created(
    topics: Topics, tmp_path: Path, arguments: list[str]
) -> None:
    assert "there is no web at" in topics(*arguments, "--web", tmp_path / "misspelt.web", code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_web_without_topics_says_so(topics: Topics, crawled: Path) -> None:
    assert "has no topics yet" in topics("show", "--web", crawled)


def test_useless_files_are_reported(topics: Topics, folders: tuple[Path, Path], tmp_path: Path) -> None:
    web, empty = tmp_path / "new.web", tmp_path / "empty"
    Web(web).close()
    empty.mkdir()
    (empty / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    assert "there are no texts in" in topics("train", "x", "--examples", empty, "--web", web, code=2)
    same = ["--examples", folders[0], "--against", folders[0]]
    assert "all alike" in topics("train", "x", *same, "--web", web, code=2)
    copies = shutil.copytree(folders[0], tmp_path / "copies")
    urls = tmp_path / "urls"
    urls.write_text("http://gone.example/a\nhttp://gone.example/b\n")
    gone = ["--examples", copies, "--against", urls]
    assert "the web has none of the pages" in topics("train", "x", *gone, "--web", web, code=2)
    topics("train", "food", "--examples", folders[0], "--against", folders[1], "--web", web)
    assert "did you mean 'food'?" in topics("show", "fod", "--web", web, code=2)
    assert "there is no file" in topics("score", "nowhere.txt", "--web", web, code=2)
    assert "has no text" in topics("score", empty, "--web", web, code=2)
    (web / "models" / "topic-food.bin").write_bytes(b"gossamer topic model 1\n")
    assert "damaged model of a topic" in topics("score", folders[0], "--web", web, code=2)


def test_a_topic_is_carried_to_another_web(
    topics: Topics, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    web, other, file = tmp_path / "one.web", tmp_path / "other.web", tmp_path / "food.topic"
    topics("train", "food", "--examples", folders[0], "--against", folders[1], "--new", "--web", web)
    assert run_json(topics, "export", "food", file, "--web", web)["bytes"] == file.stat().st_size
    assert "name a new file" in topics("export", "food", file, "--web", web, code=2)
    assert "--new" in topics("import", file, "--web", other, code=2)
    assert run_json(topics, "import", file, "--new", "--web", other)["name"] == "food"
    assert topic_model(other, "food").save() == topic_model(web, "food").save()
    assert "--replace" in topics("import", file, "--web", other, code=2)
    topics("import", file, "--replace", "--web", other)
    topics("import", file, "--name", "dishes", "--web", other)
    assert {one["name"] for one in run_json(topics, "show", "--web", other)["topics"]} == {"food", "dishes"}


def test_a_file_that_is_no_topic_is_refused(topics: Topics, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader")
    assert "is not a model of a topic" in topics("import", file, "--new", "--web", tmp_path / "w", code=2)
    assert not (tmp_path / "w").exists()
    assert "cannot be read" in topics("import", tmp_path / "none", "--new", "--web", tmp_path / "w", code=2)


def test_too_few_examples_are_said_as_such(
    topics: Topics, folders: tuple[Path, Path], tmp_path: Path
) -> None:
    seven = tmp_path / "seven"
    seven.mkdir()
    for one in sorted(folders[0].rglob("*.html"))[:7]:
        shutil.copy(one, seven)
    web = tmp_path / "new.web"
    shown = topics("train", "food", "--examples", seven, "--new", "--web", web)
    assert "Too few examples (7; 10 are a start): its quality is unknown" in " ".join(shown.split())
    assert "precision" not in shown
    assert run_json(topics, "show", "food", "--web", web)["tried"] is None
    city = tmp_path / "city.txt"
    city.write_text(
        "Vienna is the capital of Austria. It lies on the Danube, and two million people live there."
    )
    assert run_json(topics, "score", city, "--web", web)["relevance"]["food"] < 0.5


def test_a_single_text_makes_a_cosine_model_unless_told_otherwise(topics: Topics, tmp_path: Path) -> None:
    web = tmp_path / "new.web"
    assert run_json(topics, "train", "food", "--text", TEXT, "--new", "--web", web)["kind"] == "cosine"
    forced = run_json(topics, "train", "food", "--text", TEXT, "--kind", "linear", "--web", web)
    assert forced["kind"] == "linear"
