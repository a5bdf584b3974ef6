"""Vertical text and folders of texts hold what a token store holds, whatever pages contain."""

import csv
import html
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.unit.context.words.twin import PlainPage, open_pages

from gossamer.context.words.export.page_texts import PageText, iterate_pages
from gossamer.context.words.export.text_folder import TABLE, write_texts
from gossamer.context.words.export.vertical_file import write_vertical
from gossamer.context.words.selection import Selection
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.web import Web

HOSTILE = 'A "title" </doc> & \x1b[31m\n\t<s>'
PAGES = [
    PlainPage(
        -1,
        "a.example",
        1e9,
        (("en", 'He said: "ships & <b>boats</b> went", and </s> ended.'), ("de", "Die Häuser sind alt.")),
    ),
    PlainPage(2, "127.0.0.1:80", 2e9, (("en", "Ships went <p> home\u2028again = [all].\x00"),)),
]


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[list[PageText]]:
    with Web(tmp_path / "web") as web:
        known = [
            Page(page.id, page.facts.url, page.host, 1, 0, 0.0, 200, "html", title=HOSTILE) for page in PAGES
        ]
        web.store.commit(Batch(pages=known))
        tokens = open_pages(tmp_path / "words", PAGES)
        yield list(iterate_pages(tokens, web.store, Selection(), lambda _: True))


def test_vertical_text_is_well_formed_and_complete(texts: list[PageText], tmp_path: Path) -> None:
    out = tmp_path / "docs.vrt"
    counts = write_vertical(texts, out, glue=True)
    content = out.read_text("utf-8")
    corpus = ElementTree.fromstring(f"<corpus>{content}</corpus>")  # noqa: S314 - written by us: tags are closed
    assert [doc.get("url") for doc in corpus] == ["http://a.example/-1", "http://127.0.0.1:80/2"]
    assert corpus[0].get("title") == 'A "title" </doc> &  [31m  <s>'
    assert (corpus[0].get("date"), corpus[1].get("site")) == ("2001-09-09", "127.0.0.1")
    assert [doc.tag for doc in corpus] == ["doc", "doc"]
    assert [sentence.get("language") for sentence in corpus.iter("s")] == ["en", "de", "en"]
    tokens = [line.split("\t") for line in content.splitlines() if "\t" in line]
    assert all(len(columns) == 2 for columns in tokens)
    assert counts.tokens == len(tokens)
    written = "".join(html.unescape(word) for word, _ in tokens)
    assert written == "".join("".join(text.split()) for page in PAGES for _, text in page.sentences).replace(
        "\x00", " "
    )
    assert ["went", "go"] in tokens
    assert ["Häuser", "Haus"] in tokens


def test_texts_have_the_names_that_cqpweb_accepts(texts: list[PageText], tmp_path: Path) -> None:
    write_vertical(texts, tmp_path / "docs.vrt")
    content = (tmp_path / "docs.vrt").read_text("utf-8")
    corpus = ElementTree.fromstring(f"<corpus>{content}</corpus>")  # noqa: S314 - written by us: tags are closed
    ids = [text.attrib["id"] for text in corpus]
    assert {text.tag for text in corpus} == {"text"}
    assert len(set(ids)) == 2
    assert all(re.fullmatch("[a-z0-9]{1,20}", one) for one in ids)
    assert "<g/>" not in content  # the Corpus Workbench would take it for a token


def test_the_corpus_workbench_encodes_it(texts: list[PageText], tmp_path: Path) -> None:
    encode = shutil.which("cwb-encode")
    if encode is None:
        pytest.skip("cwb-encode is not installed: it is part of the IMS Corpus Workbench")
    out, data = tmp_path / "docs.vrt", tmp_path / "data"
    counts = write_vertical(texts, out)
    data.mkdir()
    command = [encode, "-d", data, "-f", out, "-R", tmp_path / "docs", "-xsB", "-c", "utf8", "-P", "lemma"]
    command += ["-S", "text:0+id+url+title+site+date+language", "-S", "p:0", "-S", "s:0+language"]
    subprocess.run(list(map(str, command)), check=True, timeout=60, capture_output=True)
    words = (data / "word.corpus").stat().st_size // 4
    assert words == counts.tokens


def test_a_folder_of_texts(texts: list[PageText], tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    counts = write_texts(texts, folder)
    with (folder / TABLE).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert counts.pages == len(rows) == 2
    assert [row["url"] for row in rows] == [page.facts.url for page in PAGES]
    assert [int(row["words"]) for row in rows] == [14, 6]
    first = (folder / rows[0]["file"]).read_text("utf-8").splitlines()
    assert first == [PAGES[0].sentences[0][1], PAGES[0].sentences[1][1]]
    assert all((folder / row["file"]).resolve().is_relative_to(folder.resolve()) for row in rows)
