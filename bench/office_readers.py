"""Compare our readers of Office files with the usual libraries: words found and CPU time, on files that they wrote."""

import io
import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from gossamer.documents.find_reader import find_reader
from gossamer.lab.documents.hostile_document import WORDS
from timing import find_best_times

ROUNDS = 3
PARAGRAPHS, ROWS, SLIDES = 2_000, 5_000, 100


def compare_office_readers() -> dict[str, float]:
    """Return the largest share of the libraries' time that ours take, and the least share of words that ours find."""
    try:
        files = {"docx": _make_docx(), "xlsx": _make_xlsx(), "pptx": _make_pptx(), "odt": _make_odt()}
    except ModuleNotFoundError as error:
        print(f"not installed: {error.name}", file=sys.stderr)
        return {}
    shares, words = [], []
    for form, (body, read_by_library) in files.items():
        reader = find_reader(form)
        assert reader is not None
        ours, theirs = Counter(reader(body, "").text.split()), Counter(read_by_library(body).split())
        times = find_best_times(
            {"ours": lambda: reader(body, ""), "library": lambda: read_by_library(body)},  # noqa: B023
            ROUNDS,
        )
        shares.append(times["ours"] / times["library"])
        words.append((ours & theirs).total() / theirs.total())
        print(
            f"{form}: {len(body):,} bytes, ours {times['ours']:.2f} s, library {times['library']:.2f} s, "
            f"words {words[-1]:.4f}",
            file=sys.stderr,
        )
    return {"documents.office_time_vs_libraries": max(shares), "documents.office_words": min(words)}


Written = tuple[bytes, Callable[[bytes], str]]


def _make_lines(number: int, seed: int) -> list[str]:
    dice = random.Random(seed)
    return [" ".join(dice.choices(WORDS, k=20)) for _ in range(number)]


def _save(document: Any) -> bytes:
    body = io.BytesIO()
    document.save(body)
    return body.getvalue()


def _make_docx() -> Written:
    import docx

    document = docx.Document()
    for line in _make_lines(PARAGRAPHS, 1):
        document.add_paragraph(line)
    return _save(document), lambda body: "\n".join(
        one.text for one in docx.Document(io.BytesIO(body)).paragraphs
    )


def _make_xlsx() -> Written:
    import openpyxl

    book = openpyxl.Workbook()
    for line in _make_lines(ROWS, 2):
        book.active.append(line.split())

    def read(body: bytes) -> str:
        sheets = openpyxl.load_workbook(io.BytesIO(body), read_only=True).worksheets
        return " ".join(str(cell) for sheet in sheets for row in sheet.values for cell in row)

    return _save(book), read


def _make_pptx() -> Written:
    import pptx

    show = pptx.Presentation()
    for line in _make_lines(SLIDES, 3):
        slide = show.slides.add_slide(show.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text_frame.text = line[:40], line

    def read(body: bytes) -> str:
        slides = pptx.Presentation(io.BytesIO(body)).slides
        return "\n".join(
            shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame
        )

    return _save(show), read


def _make_odt() -> Written:
    from odf import opendocument, teletype, text

    document = opendocument.OpenDocumentText()
    for line in _make_lines(PARAGRAPHS, 4):
        document.text.addElement(text.P(text=line))

    def read(body: bytes) -> str:
        loaded = opendocument.load(io.BytesIO(body))
        return "\n".join(teletype.extractText(one) for one in loaded.getElementsByType(text.P))

    return _save(document), read
