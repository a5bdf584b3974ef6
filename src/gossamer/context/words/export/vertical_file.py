"""Write vertical text: one token a line, as CQPweb, the Corpus Workbench and Sketch Engine load it.

| line | holds |
|---|---|
| `<text id= url= title= site= date= language=>` | a page, as CQPweb wants it: the id has only letters and digits, at most 20 |
| `<doc id= …>` | with `glue`: the same, by the name that Sketch Engine has for it |
| `<p>`, `<s language=>` | a paragraph, a sentence |
| `token TAB lemma` | a token as written, and its lemma |
| `<g/>` | with `glue`, for Sketch Engine: no space stands before the next token |

`&`, `<`, `>` and `"` are written as the entities of XML, in tokens and in attributes (`cwb-encode -x` reads them back).
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO

import msgspec

from gossamer.context.words.export.page_texts import PageText

_ENTITIES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": " ", "\n": " ", "\r": " "}
)


class ExportCounts(msgspec.Struct):
    """What an export for corpus tools contains."""

    pages: int = 0
    sentences: int = 0
    tokens: int = 0


def write_vertical(pages: Iterable[PageText], path: Path, glue: bool = False) -> ExportCounts:
    """Write pages as vertical text into a file."""
    counts = ExportCounts()
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        write_pages(pages, file, glue, counts)
    return counts


def write_pages(pages: Iterable[PageText], file: TextIO, glue: bool, counts: ExportCounts) -> None:
    """Write pages as vertical text."""
    element = "doc" if glue else "text"
    for page in pages:
        counts.pages += 1
        attributes = {
            "id": name_text(page.facts.id),
            "url": page.facts.url,
            "title": page.title,
            "site": page.site,
            "date": page.date,
            "language": page.language,
        }
        written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        file.write(f"<{element}{written}>\n")
        for block in page.blocks:
            file.write("<p>\n")
            for sentence in block:
                counts.sentences += 1
                file.writelines(_write_sentence(page, sentence, glue, counts))
            file.write("</p>\n")
        file.write(f"</{element}>\n")


def name_text(page: int) -> str:
    """Return the id of a page in corpus tools."""
    return f"p{page % 2**64:016x}"


def escape(text: str) -> str:
    """Return a text on one line, with the entities of XML, and without characters that steer a program."""
    cleaned = "".join(char if char.isprintable() or char in "\t\n\r" else " " for char in text)
    return cleaned.translate(_ENTITIES)


def _write_sentence(page: PageText, sentence: int, glue: bool, counts: ExportCounts) -> Iterator[str]:
    segment = page.segment
    language = segment.languages[segment.get("sentence_languages")[sentence]]
    yield f'<s language="{escape(language)}">\n'
    start, end = segment.sentence_starts[sentence : sentence + 2].tolist()
    for at, token in enumerate(segment.tokens[start:end].tolist()):
        counts.tokens += 1
        if glue and at and token & 1:
            yield "<g/>\n"
        form = token >> 1
        yield f"{escape(segment.forms[form])}\t{escape(segment.lemmas[form])}\n"
    yield "</s>\n"
