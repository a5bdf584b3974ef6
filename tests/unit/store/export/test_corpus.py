"""A corpus has each sentence once, in order, as text, JSON lines or Parquet, with word frequencies."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow import parquet

from gossamer.errors import BadInput
from gossamer.net.fingerprint import text_digest
from gossamer.records import Page
from gossamer.store.export import word_counts
from gossamer.store.export.corpus import CorpusCounts, word_list_path, write_corpus
from gossamer.text.language.detection.corpus_sentences import Sentence

FIRST = "The spider waits until it may ask the host again."
SECOND = "Die Spinne liest die Seite und alles, was darauf steht."
THIRD = "Nobody has seen the other page that it speaks of."


def sentence(text: str, language: str = "en") -> Sentence:
    return Sentence(text, language, text_digest(text))


def pages() -> Iterator[tuple[Page, list[Sentence]]]:
    told = [[sentence(FIRST), sentence(SECOND, "de")], [sentence(FIRST.upper()), sentence(THIRD)], []]
    for number, sentences in enumerate(told):
        yield Page(number, f"http://a.example/{number}", "a.example", 1, 0, 0.0, 200, "html"), sentences


WANTED = [
    {"text": FIRST, "url": "http://a.example/0", "language": "en"},
    {"text": SECOND, "url": "http://a.example/0", "language": "de"},
    {"text": THIRD, "url": "http://a.example/1", "language": "en"},
]


def export_pages(out: Path, with_frequencies: bool = False) -> CorpusCounts:
    heard: list[int] = []
    counts = write_corpus(pages(), out, with_frequencies, lambda counts: heard.append(counts.pages))
    assert heard[:3] == [1, 2, 3]
    return counts


def test_json_lines(tmp_path: Path) -> None:
    counts = export_pages(tmp_path / "corpus.jsonl")
    assert [
        json.loads(line) for line in (tmp_path / "corpus.jsonl").read_text("utf-8").splitlines()
    ] == WANTED
    assert (counts.pages, counts.sentences, counts.duplicates) == (3, 3, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.jsonl"], "nothing else is left"


def test_text(tmp_path: Path) -> None:
    export_pages(tmp_path / "corpus.txt")
    lines = (tmp_path / "corpus.txt").read_text("utf-8").splitlines()
    assert lines == [f"{row['text']}\t{row['url']}" for row in WANTED]


def test_parquet(tmp_path: Path) -> None:
    export_pages(tmp_path / "corpus.parquet")
    assert parquet.read_table(tmp_path / "corpus.parquet").to_pylist() == WANTED


def test_word_frequencies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_counts, "_MOST_IN_MEMORY", 3)
    export_pages(tmp_path / "corpus.txt", with_frequencies=True)
    with word_list_path(tmp_path / "corpus.txt").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["word"] for row in rows if row["language"] == "de"][:2] == ["die", "alles"]
    english = {row["word"]: int(row["times"]) for row in rows if row["language"] == "en"}
    assert (english["the"], english["it"], english["spider"]) == (3, 2, 1)
    assert sum(float(row["share"]) for row in rows if row["language"] == "en") == pytest.approx(1, abs=1e-6)


def test_a_wrong_path_is_refused_before_pages_are_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.txt, \.jsonl, \.parquet"):
        write_corpus(pages(), tmp_path / "corpus.doc", False, lambda _: None)
    (tmp_path / "corpus.words.tsv").touch()
    with pytest.raises(BadInput, match="exists already"):
        write_corpus(pages(), tmp_path / "corpus.txt", True, lambda _: None)
    assert not (tmp_path / "corpus.txt").exists()
