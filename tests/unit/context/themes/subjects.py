"""A small collection of four subjects, each with words of its own, and pages that link to pages of one subject."""

import random
from collections.abc import Iterable
from pathlib import Path

from gossamer.net.fingerprint import text_fingerprints
from gossamer.net.url import page_id
from gossamer.records import Page
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.store.batch import KIND_OF_TYPE, Batch, LinkColumns
from gossamer.store.sqlite.sqlite_store import SqliteStore

SUBJECTS = {
    "music": "symphony orchestra violin composer melody concert quartet opera piano sonata conductor rhythm chorus flute",
    "steam": "boiler engine piston steam valve pressure furnace locomotive cylinder pump coal chimney turbine crankshaft",
    "bread": "flour dough oven yeast baker loaf crust butter sugar knead wheat rye pastry recipe",
    "garten": "blume garten erde pflanze wurzel baum hecke rasen unkraut dünger samen beet gärtner gießkanne",
}
COMMON = "house day year water city people number story letter morning evening window street river"
LANGUAGES = {"garten": "de"}


def make_url(subject: str, number: int) -> str:
    return f"https://{subject}{number % 5}.example/{subject}-{number}"


def make_entry(subject: str, number: int, text: str = "", stamp: int = 1) -> Entry:
    """Return a page of a subject; the same number gives the same text."""
    dice = random.Random(f"{subject}{number}")
    words = dice.choices(SUBJECTS[subject].split(), k=30) + dice.choices(COMMON.split(), k=20)
    dice.shuffle(words)
    main = text or " ".join(words)
    _, simhash, count = text_fingerprints(main)
    url = make_url(subject, number)
    return Entry(
        id=page_id(url),
        url=url,
        site=f"{subject}.example",
        title=f"About {SUBJECTS[subject].split()[0]} {words[0]}",
        main=main,
        language=LANGUAGES.get(subject, "en"),
        kind="html",
        words=count,
        simhash=simhash,
        stamp=stamp,
    )


def make_pages(each: int = 30, first: int = 0) -> list[Entry]:
    """Return so many pages of each subject."""
    return [make_entry(subject, number) for subject in SUBJECTS for number in range(first, first + each)]


def fill_index(entries: Iterable[Entry], folder: Path | None = None) -> Index:
    index = Index(folder)
    writer = index.writer()
    for entry in entries:
        writer.add(entry)
    writer.commit()
    return index


def find_subject(url: str) -> str:
    return url.rpartition("/")[2].partition("-")[0]


def make_store(
    folder: Path, entries: Iterable[Entry], links: dict[str, list[tuple[str, str]]]
) -> SqliteStore:
    """Return a store of these pages; `links` gives the targets and texts of the links of further pages, by address."""
    store = SqliteStore(folder / "state.sqlite", create=True)
    urls = {entry.url: entry.title for entry in entries} | dict.fromkeys(links, "a list")
    pages = [
        Page(
            id=page_id(url),
            url=url,
            host=url.split("/")[2],
            title=title,
            task=1,
            depth=0,
            fetched_s=0.0,
            status=200,
            kind="html",
        )
        for url, title in urls.items()
    ]
    columns = [
        LinkColumns(
            page_id(source),
            [page_id(target) for target, _ in given],
            bytes([KIND_OF_TYPE["a"]] * len(given)),
            [text for _, text in given],
        )
        for source, given in links.items()
    ]
    known = [(page_id(url), url) for url in [*urls, *(t for given in links.values() for t, _ in given)]]
    store.commit(Batch(links=columns, known=list(dict(known).items()), pages=pages))
    return store
