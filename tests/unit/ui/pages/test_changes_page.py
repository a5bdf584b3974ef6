"""The page of changes shows marked words, escapes everything, and names what is watched."""

from pathlib import Path
from urllib.parse import quote

from tests.unit.ui.app_client import ask

from gossamer.store.batch import Batch
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.watch.change_log import BlockChange, PageChange, make_notes
from gossamer.watch.difference.mark_words import WordSpan
from gossamer.watch.watch_list import WatchedPage, make_note
from gossamer.web import Web

URL, OTHER = "http://a.example/?a=1&b=2", "http://b.example/"
WORDS = (WordSpan("same", "Open from "), WordSpan("gone", "9"), WordSpan("new", "<script>10</script>"))


def keep_changes(folder: Path) -> None:
    changes = [
        PageChange(URL, "", "changed", 1e9, 1e9 - 60, "<b>Shop</b>", blocks=(BlockChange("changed", WORDS),)),
        PageChange(OTHER, "heading Hours", "gone", 1e9 + 1, detail="status 404"),
        PageChange("javascript:alert(1)", "", "back", 1e9 + 2),
    ]
    with Web(folder) as web:
        pages = dict(make_note(WatchedPage(url, checked_s=1e9, status="there")) for url in (URL, OTHER))
        web.store.commit(Batch(notes=make_notes(web.store, changes) | pages))


def test_changes_are_shown_with_marked_words(own: Path) -> None:
    keep_changes(own)
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        shown = ask(app, "/changes")
        one = ask(app, f"/changes?url={quote(URL, safe='')}")
        feed = ask(app, "/changes.atom")
    assert shown.status == one.status == feed.status == 200
    assert "<del>9</del><ins>&lt;script&gt;10&lt;/script&gt;</ins>" in shown.text
    assert "<b>Shop" not in shown.text
    assert "The page is gone: status 404." in shown.text
    assert "javascript:" not in [part.split('"')[0] for part in shown.text.split('href="')]
    assert 'href="javascript' not in shown.text
    assert "Shop" in one.text
    assert "b.example" not in one.text
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert feed.text.count("<entry>") == 3


def test_a_web_without_watched_pages_says_so(own: Path) -> None:
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        assert "No page is watched yet" in ask(app, "/changes").text
        assert "This page is not watched" in ask(app, "/changes?url=http://x.example/").text
