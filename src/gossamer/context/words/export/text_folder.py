"""Write a folder of plain texts with a table of their pages, as AntConc and other programs for plain texts read it."""

import csv
import re
from collections.abc import Iterable
from pathlib import Path

from gossamer.context.words.export.page_texts import PageText
from gossamer.context.words.export.vertical_file import ExportCounts
from gossamer.printable_text import clean_text

TABLE = "metadata.tsv"
_COLUMNS = ("file", "url", "title", "site", "date", "language", "words")
# More files in one folder are slow in file managers.
_FILES_IN_FOLDER = 10_000
_NOT_IN_NAMES = re.compile(r"[^a-z0-9.-]+")


def write_texts(pages: Iterable[PageText], folder: Path) -> ExportCounts:
    """Write one UTF-8 text for each page, one line for each paragraph, and a table that says what each text is."""
    counts = ExportCounts()
    with (folder / TABLE).open("w", encoding="utf-8", errors="replace", newline="") as file:
        table = csv.writer(
            file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None, escapechar="\\"
        )
        table.writerow(_COLUMNS)
        for page in pages:
            name = name_file(page, counts.pages)
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            words = _write_text(page, path, counts)
            counts.pages += 1
            table.writerow(
                (
                    name,
                    page.facts.url,
                    clean_text(page.title, 500),
                    page.site,
                    page.date,
                    page.language,
                    words,
                )
            )
    return counts


def name_file(page: PageText, number: int) -> str:
    """Return the name of the text of a page: its number, its host, and the first letters of its title."""
    words = _NOT_IN_NAMES.sub("-", f"{page.facts.host}-{page.title}".lower()).strip("-.")[:60]
    return f"texts-{number // _FILES_IN_FOLDER + 1:03}/{number + 1:07}-{words or 'page'}.txt"


def _write_text(page: PageText, path: Path, counts: ExportCounts) -> int:
    """Write the text of a page; return how many words it has."""
    is_word = page.segment.get("is_word")
    words = 0
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        for block in page.blocks:
            file.write(" ".join(page.write_sentence(sentence) for sentence in block) + "\n")
            for sentence in block:
                start, end = page.segment.sentence_starts[sentence : sentence + 2].tolist()
                forms = page.segment.tokens[start:end] >> 1
                counts.sentences += 1
                counts.tokens += end - start
                words += int(is_word[forms].sum())
    return words
