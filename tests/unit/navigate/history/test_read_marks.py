"""Marks on links that were read, and on those that have changed since."""

from pathlib import Path
from typing import cast

from gossamer.navigate.history.history_records import ReadVisit
from gossamer.navigate.history.keep_visits import keep_visits
from gossamer.navigate.history.read_marks import mark_read_links
from gossamer.net.url import page_id
from gossamer.records import Visit
from gossamer.store.batch import Store

URL = "https://news.example/today"


class _Visits:
    def __init__(self, *visits: tuple[float, int]) -> None:
        self._visits = [
            Visit(page_id(URL), 1, when_s, "fetched", text_digest=digest) for when_s, digest in visits
        ]

    def visits_of_pages(self, ids: set[int]) -> dict[int, list[Visit]]:
        return {one: self._visits for one in ids if one == page_id(URL)}


def _mark(path: Path, *visits: tuple[float, int]) -> list[str]:
    return mark_read_links(path, cast("Store", _Visits(*visits)), [f"{URL}#part"])[0]


def test_a_page_has_changed_if_the_collection_knew_another_text_when_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "own.sqlite"
    assert _mark(path, (10.0, 1)) == []
    keep_visits(path, [ReadVisit(URL, 100.0, "Today")])
    assert _mark(path, (10.0, 1), (200.0, 2)) == ["read", "changed"]
    assert _mark(path, (10.0, 1), (200.0, 1)) == ["read"]
    assert _mark(path, (10.0, 1), (200.0, 2), (300.0, 1)) == ["read"]  # it is as it was
    assert _mark(path, (200.0, 2)) == ["read"]  # what it said then is not known
    assert _mark(path, (10.0, 1), (200.0, 0)) == ["read"]  # a visit without a text
    assert _mark(path) == ["read"]
