"""Pages that are built to cost their reader much: for crawls that are killed while they read them."""

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer

FOLDER = "/hostile/"
_HTML = (("Content-Type", "text/html"),)
_PAGE_CHARS = 400_000


def make_page(unit: str) -> bytes:
    """Repeat a unit with running numbers; 400 characters of text before every 7,600 make it look harmless to samples."""
    pieces: list[str] = ["<title>hostile</title>"]
    number = length = 0
    while length < _PAGE_CHARS:
        piece = "text " * 80
        while len(piece) < 8_000:
            piece += unit.format(number)
            number += 1
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces).encode()


PAGES = {
    f"{FOLDER}fonts": make_page("<p><font size={}>"),
    f"{FOLDER}bodies": make_page("<body a{}=1>"),
    f"{FOLDER}cells": make_page("<table><td><b a{}><p>"),
    f"{FOLDER}links": make_page(f"<a href={FOLDER}links>x"),
    f"{FOLDER}signs?x={'%' * 1_500}": make_page("<i title='{}%%%'>%"),
}


def answer_hostile(target: str) -> LabAnswer | None:
    """Return the hostile page at a target; None if there is none."""
    found = PAGES.get(target)
    return None if found is None else LabAnswer(200, _HTML, found)


def list_hostile_urls(running: LabServer) -> list[str]:
    """Return the URLs of the hostile pages, all on the first host of a served world."""
    return [running.url(running.world.hosts()[0], target) for target in PAGES]
