"""Blocks of a page have their own languages, and the declared language is only reported."""

from gossamer.net.html import read
from gossamer.text.language.detection.block_languages import languages_of
from gossamer.text.language.detection.page_language import page_language

GERMAN = (
    "Der Sammler wartet, bis er den Rechner wieder fragen darf, und merkt sich alles, was er gesehen hat. "
    "Danach geht er zur nächsten Seite, die noch nicht besucht worden ist. "
)
ENGLISH = (
    "The crawler waits until it may ask the host again, and remembers everything that it has seen so far. "
    "After that it goes on to the next page that nobody has visited yet. "
)
MENU = "<ul>" + "".join(f"<li><a href='/{n}'>Start {n}</a>" for n in range(9)) + "</ul>"


def page(body: str, lang: str = "en") -> bytes:
    return f"<html lang='{lang}'><title>T</title><body>{body}".encode()


def test_the_text_decides_not_the_declaration() -> None:
    document = read(page(f"{MENU}<p>{GERMAN}"), "http://a.example/", "text/html; charset=utf-8")
    found = languages_of(document, "fr")
    assert (found.language, found.mixed) == ("de", False)
    assert found.declared == ("en", "fr")
    assert page_language(document.text) == "de"


def test_blocks_of_a_mixed_page_have_their_own_languages() -> None:
    document = read(page(f"<p>{GERMAN}{GERMAN}<p>{ENGLISH}"), "http://a.example/", "text/html; charset=utf-8")
    found = languages_of(document)
    assert found.mixed
    assert [share.language for share in found.shares] == ["de", "en"]
    assert sum(share.share for share in found.shares) == 1
    assert [(one.language, one.running) for one in found.blocks] == [("de", True), ("en", True)]


def test_a_menu_is_not_running_text() -> None:
    document = read(page(f"{MENU}<p>{GERMAN}"), "http://a.example/", "text/html; charset=utf-8")
    found = languages_of(document)
    assert [one.running for one in found.blocks] == [False] * 9 + [True]


def test_too_little_text_has_no_language() -> None:
    document = read(page("<p>OK"), "http://a.example/", "text/html; charset=utf-8")
    found = languages_of(document)
    assert (found.language, found.shares, page_language(document.text)) == (None, (), "")
    assert page_language("1 2 3 4 5 6 7 8 9 " * 100) == ""
    assert page_language("") == ""
