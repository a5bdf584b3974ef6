"""A small web with links, in a store and an index, for tests of `link:` and `related:`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.unit.search.texts import entry

from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.search.index.search_index import Index
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.sqlite.sqlite_store import SqliteStore

TEXTS = {
    "haydn": "Haydn wrote symphonies and quartets for the prince of Esterhazy, whose orchestra he led.",
    "mozart": "Mozart wrote operas and symphonies; quartets he gave to Haydn, whose orchestra he envied.",
    "boiler": "Boilers turn water into steam for engines that drive pumps in mines.",
    "engine": "Engines drive pumps; steam from boilers moves pistons in mines.",
    "index": "A list of pages.",
    "hub": "Another list of pages.",
    "moved": "This page has moved.",
}
LINKS = {
    "index": [("haydn", "Papa Haydn"), ("mozart", "Wolfgang"), ("boiler", "")],
    "hub": [("haydn", "Joseph"), ("mozart", "Amadeus"), ("haydn", "Papa Haydn")],
    "mozart": [("moved", "old page of Haydn")],
    "boiler": [("boiler", "this page")],
    "bare": [
        *(
            ("boiler", text)
            for text in ("Boilers: how?", "https://boiler.example/", "boiler.example/a b", "12.")
        ),
        *(("far", text) for text in ("boiler.example/steam", "WWW.boiler.example", "…", "far away")),
        ("boiler", "next"),
    ],
}


def url(name: str) -> str:
    return f"https://{name}.example/"


def number(name: str) -> int:
    return page_id(url(name))


def make_page(address: str, title: str, **facts: Any) -> Page:
    """Return a page that was fetched from an address."""
    given: dict[str, Any] = {"task": 1, "depth": 0, "fetched_s": 0.0, "status": 200, "kind": "html", **facts}
    return Page(id=page_id(address), url=address, host=address.split("/")[2], title=title, **given)


def linked_web(folder: Path) -> Iterator[tuple[Index, SqliteStore]]:
    """Yield the index and the store of the web above; `moved` redirects to `haydn`."""
    store = SqliteStore(folder / "state.sqlite", create=True)
    links = [
        LinkColumns(
            number(source),
            [number(target) for target, _ in given],
            bytes([KIND_OF_TYPE["a"]] * len(given)),
            [text for _, text in given],
        )
        for source, given in LINKS.items()
    ]
    moved = LinkColumns(number("moved"), [number("haydn")], bytes([KIND_OF_TYPE["redirect"]]), [""])
    pages = [make_page(url(name), name) for name in TEXTS if name != "moved"]
    known = [(number(name), url(name)) for name in TEXTS]
    store.commit(Batch(links=[*links, moved], known=known, pages=pages))
    index = Index()
    writer = index.writer()
    for name, text in TEXTS.items():
        facts = {"url": url(name), "host": f"{name}.example", "title": name, "main": text}
        writer.add(entry(number(name), **facts, language="en", date_s=0.0, depth=0))
    writer.commit()
    yield index, store
    store.close()
