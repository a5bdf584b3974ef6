"""Read what a web knows about all its pages as columns, for pictures of its graph."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.store.batch import Store
from gossamer.store.links.link_arrays import join_arrays
from gossamer.store.links.snapshot import open_snapshot
from gossamer.store.packed_bytes import unpack_texts

_MOST_MARKS = 12
"""How many kinds of marks are read; a classifier sets one or two."""
_QUERY = "select id, depth, status, words, fetched_s, language, host, marks from page order by number"
_decode_marks = msgspec.json.Decoder(dict[str, str]).decode


class PageColumns(msgspec.Struct, frozen=True, eq=False):
    """The fetched pages of a web in order of arrival, as columns of equal length."""

    ids: NDArray[np.int64]
    depths: NDArray[np.int64]
    statuses: NDArray[np.int64]
    words: NDArray[np.int64]
    fetched_s: NDArray[np.float64]
    languages: list[str]
    hosts: list[str]
    marks: dict[str, list[str]]
    """By the name of a mark: its value on each page, "" if a page has none."""


def read_page_columns(store: Store) -> PageColumns:
    """Read the columns of all pages. Cost: one pass over the table of pages, a second for a hundred thousand."""
    numbers: list[list[NDArray[np.float64]]] = [[] for _ in range(5)]
    languages: list[str] = []
    hosts: list[str] = []
    marks: dict[str, list[str]] = {}
    with open_snapshot(store) as state:
        for *columns, language, host, marked in state.read_batches(_QUERY, "nnnnnbbb"):
            for pieces, column in zip(numbers, columns, strict=True):
                pieces.append(column)
            _add_marks(marks, unpack_texts(marked), len(languages))
            languages += unpack_texts(language)
            hosts += unpack_texts(host)
    whole = [join_arrays(pieces, np.int64) for pieces in numbers]
    return PageColumns(
        whole[0].astype(np.int64),
        whole[1].astype(np.int64),
        whole[2].astype(np.int64),
        whole[3].astype(np.int64),
        whole[4].astype(np.float64),
        languages,
        hosts,
        {name: values + [""] * (len(languages) - len(values)) for name, values in marks.items()},
    )


def _add_marks(marks: dict[str, list[str]], packed: list[str], before: int) -> None:
    """Add the marks of some pages to those of the pages before them."""
    for at, text in enumerate(packed, before):
        if text == "{}":
            continue
        try:
            found = _decode_marks(text)
        except msgspec.DecodeError:
            continue
        for name, value in found.items():
            if name not in marks and len(marks) >= _MOST_MARKS:
                continue
            values = marks.setdefault(name, [])
            values += [""] * (at - len(values))
            values.append(value)


def find_pages(store: Store, words: list[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the ids of the pages whose title or URL has all of these words, in small letters, anywhere.

    For each of them, say whether its title has them side by side. Cost: one pass over the titles and URLs of all pages.
    """
    phrase = " ".join(words)
    found: list[tuple[int, bool]] = []
    with open_snapshot(store) as state:
        for ids, urls, titles in state.read_batches("select id, url, title from page order by number", "nbb"):
            texts = zip(ids.tolist(), unpack_texts(urls), unpack_texts(titles), strict=True)
            for page, url, title in texts:
                text = f"{title}\n{url}".casefold()
                if all(word in text for word in words):
                    found.append((page, phrase in " ".join(title.casefold().split())))
    ids = np.array([page for page, _ in found], np.int64)
    return ids, np.array([is_phrase for _, is_phrase in found], np.bool_)
