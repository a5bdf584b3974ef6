"""What is learnt from are the sentences of paragraphs, of pages and of texts in a folder."""

from pathlib import Path

import pytest

from gossamer.crawl.from_archive.language_samples import collect_from_folder, read_sentences, sentences_of
from gossamer.errors import BadInput
from gossamer.net import html
from gossamer.text.language.training.collect_sentences import SentenceCollector

PAGE = """<title>Ein Titel, der nicht zählt.</title><nav><a href=/>Start</a> <a href=/x>Kontakt und Impressum</a></nav>
<h1>Eine Überschrift</h1><p>Der erste Satz steht hier. Der <b>zweite</b> auch.</p><ul><li>Punkt eins der Liste</li></ul>
<table><tr><td>Telefon</td><td>0651 1234</td></tr></table><p><a href=/y>Ein Absatz, der ganz aus einem Link besteht.</a></p>
<blockquote>Ein Zitat zählt mit.</blockquote>"""


def test_menus_headings_lists_and_tables_have_no_sentences() -> None:
    found = list(sentences_of(html.read(PAGE, "http://x.example/")))
    assert found == ["Der erste Satz steht hier.", "Der zweite auch.", "Ein Zitat zählt mit."]


def test_files_are_texts_or_pages_or_nothing() -> None:
    assert list(read_sentences("Ein Satz. Noch ein Satz.".encode("utf-16"), "a.txt")) == [
        "Ein Satz.",
        "Noch ein Satz.",
    ]
    assert "Der zweite auch." in read_sentences(PAGE.encode(), "a.html")
    assert list(read_sentences(b"\x89PNG\r\n\x1a\n\x00\x00", "a.png")) == []


def test_a_folder_is_read_with_all_below_and_partly_kept_back(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    for number, name in enumerate(("a.txt", "below/b.txt")):
        lines = [f"Satz {line} von Nummer {number} steht hier." for line in range(100)]
        (tmp_path / name).write_text("\n".join(lines))
    collector = SentenceCollector()
    collect_from_folder("de", tmp_path, collector)
    found = collector.to_sample()
    assert (len(found.to_learn["de"]), len(found.to_measure["de"])) == (160, 40)


def test_an_empty_folder_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no texts of de"):
        collect_from_folder("de", tmp_path, SentenceCollector())
