"""A small library of pages to search in."""

from gossamer.net.fingerprint import text_fingerprints
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index

COMPOSERS = (
    "Joseph Haydn wrote symphonies and quartets in Eisenstadt. He taught a young man from Bonn, and composed "
    "more than a hundred symphonies, of which the last twelve were written for London. His brother Michael was "
    "a composer as well, and worked in Salzburg, where he knew the family of Leopold Mozart for many years."
)
PAGES: list[dict[str, object]] = [
    {"title": "Composers of Vienna", "main": COMPOSERS, "language": "en", "anchors": ("the Haydn page",)},
    {"title": "Steam engines", "main": "Engines drive pumps in mines. Boilers need water.", "language": "en"},
    {
        "title": "Komponisten",
        "main": "Ein Komponist aus München schrieb Lieder über schöne Häuser.",
        "language": "de",
    },
    {"title": "東京大学", "main": "東京大学は日本の国立大学である。", "language": "ja"},
    {"title": "Bakers", "main": "Bread and cafés in Paris.", "rest": "imprint contact", "language": "en"},
]


def entry(number: int, **given: object) -> Entry:
    """Return a page with some words, on a host of its own."""
    facts: dict[str, object] = {
        "id": number,
        "url": f"https://www.site{number}.example/folder/page-{number}.html",
        "host": f"www.site{number}.example",
        "site": f"site{number}.example",
        "kind": "html",
        "date_s": 86_400.0 * 365 * (30 + number),
        "depth": number,
    }
    facts |= given
    _, simhash, words = text_fingerprints(str(facts.get("main", "")))
    return Entry(**{"simhash": simhash, "words": words, **facts})  # type: ignore[arg-type]


def library(*more: Entry) -> Index:
    """Return an index in memory with the pages above and some more."""
    index = Index()
    writer = index.writer()
    for number, page in enumerate(PAGES):
        writer.put(entry(number, **page))
    for one in more:
        writer.put(one)
    writer.commit()
    return index
