import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.net.url import page_id
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.pages import cached_page
from gossamer.ui.route_tables import NAVIGATION


def test_a_copy_is_shown_under_a_banner_in_a_sandbox(get_page: GetPage, start: str) -> None:
    shown = get_page(f"/cached?url={start}haydn").text
    assert "A copy from 20" in shown
    assert 'sandbox="allow-top-navigation-by-user-activation"' in shown
    assert f'src="/cached/page?url={start.replace(":", "%3A").replace("/", "%2F")}haydn"' in shown


def test_the_policy_of_a_copy_allows_nothing(get_page: GetPage, start: str) -> None:
    copy = get_page(f"/cached/page?url={start}hostile")
    policy = copy.headers["content-security-policy"]
    rights = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert rights["sandbox"] == "allow-top-navigation-by-user-activation"
    assert (rights["default-src"], rights["form-action"]) == ("'none'", "'none'")
    assert rights["frame-ancestors"] == "'self'"
    assert "http" not in policy
    assert copy.headers["x-content-type-options"] == "nosniff"
    live = get_page(f"/cached/page?url={start}hostile&looks=live").headers["content-security-policy"]
    assert "script-src" not in live
    assert "sandbox allow-top" in live


def test_links_of_a_copy_lead_to_copies_where_there_are_any(get_page: GetPage, start: str) -> None:
    text = get_page(f"/cached/page?url={start}haydn").text
    assert text.startswith('<!doctype html><base target="_top"><html>')
    assert f'<a href="/cached?url={quote(start, safe="")}">Home of the library</a>' in text
    home = get_page(f"/cached/page?url={start}").text
    assert f'href="/cached?url={quote(start + "symphony/3", safe="")}"' in home
    assert f'<a href="{start}secret">secret</a>' in home, "noarchive: only the live page can be read"
    hostile = get_page(f"/cached/page?url={start}hostile").text
    assert hostile.startswith('<!-- <head> --><!doctype html><base target="_top">')
    assert f'<a id="on" href="{start}further.html">' in hostile, "not in the web"


def test_with_live_assets_links_lead_to_the_live_pages(get_page: GetPage, start: str) -> None:
    text = get_page(f"/cached/page?url={start}haydn&looks=live").text
    assert text.startswith(f'<!doctype html><base href="{start}haydn" target="_top"><html>')
    assert "<a href='/'>" in text


def test_the_words_of_the_query_are_marked_in_the_copy(get_page: GetPage, start: str) -> None:
    shown = get_page("/search?q=eisenstadt+symphony").text
    address = next(one for one in re.findall(r'href="(/cached\?[^"]*)"', shown) if "haydn" in one)
    assert address.endswith("&amp;q=eisenstadt%20symphony")
    banner = get_page(address.replace("&amp;", "&")).text
    assert re.search(r">[1-9]\d* words marked<", banner)
    (frame,) = re.findall(r'<iframe [^>]*src="([^"]*)"', banner)
    copy = get_page(frame.replace("&amp;", "&")).text
    marked = re.findall(r"<mark [^>]*>([^<]*)</mark>", copy)
    assert set(marked) == {"Eisenstadt", "symphonies"}
    assert copy.count('id="gossamer-first-mark"') == 1
    assert "q=eisenstadt%20symphony" in re.findall(r'<a href="([^"]*)">Home of the library', copy)[0]
    assert "<mark" not in get_page(f"/cached/page?url={start}haydn").text
    assert "no word of “zzz” is in this copy" in get_page(f"/cached?url={start}haydn&q=zzz").text
    assert "is in this copy" not in get_page(f"/cached?url={start}haydn&q=type:html").text


@pytest.mark.parametrize(
    "query", ["script", "alert(1)", "<b>", "%22%3E%3Cscript%3E", "link:x", "concert*", "mal~"]
)
def test_marks_open_no_element_in_a_hostile_copy(get_page: GetPage, start: str, query: str) -> None:
    plain = get_page(f"/cached/page?url={start}hostile").text
    copy = get_page(f"/cached/page?url={start}hostile&q={query}").text
    unmarked = re.sub(r"<mark [^>]*>|</mark>", "", copy)
    unmarked = re.sub(r"(&amp;|&)q=[^\"&]*", "", unmarked)
    assert unmarked == plain
    banner = get_page(f"/cached?url={start}hostile&q={query}").text
    assert "<script>" not in banner


def test_other_encodings_are_decoded(get_page: GetPage, start: str) -> None:
    copy = get_page(f"/cached/page?url={start}old")
    assert copy.headers["content-type"] == "text/html; charset=utf-8"
    assert "Überall Café" in copy.text


def test_plain_text_stays_plain(get_page: GetPage, start: str) -> None:
    copy = get_page(f"/cached/page?url={start}notes.txt")
    assert (copy.headers["content-type"], copy.text) == ("text/plain; charset=utf-8", "Plain <b>notes</b>")


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("secret", 403, "does not allow copies to be shown"),
        ("unknown", 404, "not in the collection"),
        ("", 404, ""),
    ],
)
def test_copies_that_must_not_be_shown_are_refused(
    get_page: GetPage, start: str, path: str, status: int, sentence: str
) -> None:
    url = start + path if path else "javascript:alert(1)"
    for address in (f"/cached?url={url}", f"/cached/page?url={url}"):
        shown = get_page(address)
        assert shown.status == status
        assert sentence in shown.text
        assert "memoir may be found" not in shown.text


def test_a_page_that_killed_the_program_twice_is_not_shown(own: Path, start: str) -> None:
    die = "from gossamer.store.reading_attempts import ReadingAttempts as R; import os, sys, pathlib; " + (
        "one = R(pathlib.Path(sys.argv[1])).attempt(int(sys.argv[2])); one.__enter__(); os.kill(os.getpid(), 9)"
    )
    number = str(page_id(f"{start}haydn"))
    for _ in range(2):
        subprocess.run([sys.executable, "-c", die, str(own), number], check=False)
    # The second note is collected by the server, the first was by the second process.
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        for address in (f"/cached?url={start}haydn", f"/cached/page?url={start}haydn"):
            shown = ask(app, address)
            assert shown.status == 403
            assert "reading it killed the program twice" in shown.text
        assert ask(app, f"/cached/page?url={start}old").status == 200


def test_a_page_is_noted_while_its_copy_is_made(
    own: Path, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, noted = cached_page._render_copy, list[bytes]()

    def look(*arguments: Any) -> cached_page.RenderedCopy:
        noted.extend(path.read_bytes() for path in (own / "reading").iterdir())
        return whole(*arguments)

    monkeypatch.setattr(cached_page, "_render_copy", look)
    with PageContext(own, NAVIGATION) as context:
        assert ask(make_application(context, Guard()), f"/cached/page?url={start}haydn").status == 200
    number = page_id(f"{start}haydn").to_bytes(8, "little", signed=True)
    assert [number in note for note in noted] == [True]
    assert all(number not in path.read_bytes() for path in (own / "reading").iterdir())
