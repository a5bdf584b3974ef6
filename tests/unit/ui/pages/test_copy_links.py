from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.search.webs import make_page

from gossamer.net.html.parse_tree import parse_page
from gossamer.net.url import page_id
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.ui.pages.copy_links import CopyLinks

HERE = "https://a.example/b/here"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    store = SqliteStore(Path(tmp_path_factory.mktemp("links")) / "state.sqlite", create=True)
    pages = [
        make_page(HERE, "Here"),
        make_page("https://a.example/b/kept", "Kept"),
        make_page("https://a.example/shy", "Shy", archive=False),
        make_page("https://a.example/gone", "Gone", status=404),
        make_page("https://a.example/clip", "Clip", kind="video"),
    ]
    moved = LinkColumns(
        page_id("https://a.example/old"), [pages[1].id], bytes([KIND_OF_TYPE["redirect"]]), [""]
    )
    store.commit(Batch(pages=pages, links=[moved]))
    yield store
    store.close()


KEPT = "/cached?url=https%3A%2F%2Fa.example%2Fb%2Fkept"


@pytest.mark.parametrize(
    ("href", "rewritten"),
    [
        ("kept", KEPT),
        (" https://A.example:443/b/kept ", KEPT),
        ("kept#part two", f"{KEPT}&part=part%20two"),
        ("/old", KEPT),
        ("/shy", "https://a.example/shy"),
        ("/gone", "https://a.example/gone"),
        ("/clip", "https://a.example/clip"),
        ("other#x", "https://a.example/b/other#x"),
        ("//far.example/?a=1&b", "https://far.example/?a=1&b"),
        ("#top", "#top"),
        ("here#top", "#top"),
        ("", "/cached?url=https%3A%2F%2Fa.example%2Fb%2Fhere"),
        ("mailto:anna@a.example", "mailto:anna@a.example"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("http://[::1", "http://[::1"),
    ],
)
def test_links_lead_to_copies_or_to_live_pages(store: SqliteStore, href: str, rewritten: str) -> None:
    tree = parse_page(
        f"<a href='{href}'>x</a><svg><a xlink:href='{href}'>y</a></svg><map><area href='{href}'></map>"
    )
    CopyLinks(store, make_page(HERE, "Here")).rewrite(tree, HERE)
    link, inside, area = tree.select("a, area")
    assert (link.attrs["href"], inside.attrs["xlink:href"], area.attrs["href"]) == (rewritten,) * 3
    assert link.attrs.get("target") == ("_self" if rewritten == "#top" else None)


def test_the_base_of_a_page_cannot_move_our_links(store: SqliteStore) -> None:
    tree = parse_page("<head><base href='https://evil.example/'><base target=x></head><a href='kept'>x</a>")
    CopyLinks(store, make_page(HERE, "Here"), "two words").rewrite(tree, HERE)
    assert tree.find_all("base") == []
    assert tree.find_all("a")[0].attrs["href"] == f"{KEPT}&q=two%20words"
