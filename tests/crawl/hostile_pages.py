"""Pages that are built to cost their reader much: for crawls that are killed while they read them."""

from gossamer.lab.behaviour.hostile_page import UNITS, make_hostile_page
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer

FOLDER = "/hostile/"
_HTML = (("Content-Type", "text/html"),)
_PAGE_CHARACTERS = 400_000


def _make_page(unit: str) -> bytes:
    return b"<title>hostile</title>" + make_hostile_page(unit, _PAGE_CHARACTERS)


PAGES = {
    f"{FOLDER}fonts": _make_page(UNITS["fonts"]),
    f"{FOLDER}bodies": _make_page(UNITS["bodies"]),
    f"{FOLDER}cells": _make_page(UNITS["cells"]),
    f"{FOLDER}links": _make_page(f"<a href={FOLDER}links>x"),
    f"{FOLDER}signs?x={'%' * 1_500}": _make_page("<i title='{}%%%'>%"),
}


def answer_hostile(target: str) -> LabAnswer | None:
    """Return the hostile page at a target; None if there is none."""
    found = PAGES.get(target)
    return None if found is None else LabAnswer(200, _HTML, found)


def list_hostile_urls(running: LabServer) -> list[str]:
    """Return the URLs of the hostile pages, all on the first host of a served world."""
    return [running.url(running.world.hosts()[0], target) for target in PAGES]
