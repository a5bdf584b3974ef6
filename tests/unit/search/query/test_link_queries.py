import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from tests.unit.search.webs import TEXTS, linked_web, number, url

from gossamer.records import PageLink
from gossamer.search.answers.answer_query import pages_found, search
from gossamer.search.answers.answer_records import Answers, Wish
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import near_by_links
from gossamer.search.links.static_rank import standing_of
from gossamer.store.batch import Store
from gossamer.store.sqlite.sqlite_store import SqliteStore

Web = tuple[Index, SqliteStore]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    yield from linked_web(Path(tmp_path_factory.mktemp("around")))


def asked(web: Web, query: str) -> Answers:
    return search(web[0], query, store=web[1])


def test_who_links_here_is_told_with_the_texts_of_links(web: Web) -> None:
    found = asked(web, f"link:{url('haydn')}")
    assert {answer.title: answer.link_texts for answer in found.answers} == {
        "index": ("Papa Haydn",),
        "hub": ("Joseph", "Papa Haydn"),
        "mozart": ("old page of Haydn",),
    }


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("link:haydn.example", {"index", "hub", "mozart"}),
        ("link:HTTPS://Haydn.example:443/ -site:hub.example", {"index", "mozart"}),
        ("link:haydn.example AND link:boiler.example", {"index"}),
        ("link:boiler.example", {"index"}),
        ("link:nobody.example", set()),
    ],
)
def test_links_can_be_asked_for_in_many_ways(web: Web, query: str, titles: set[str]) -> None:
    assert {answer.title for answer in asked(web, query).answers} == titles


def test_similar_pages_are_told_with_both_reasons(web: Web) -> None:
    found = asked(web, f"related:{url('haydn')}").answers
    assert found[0].title == "mozart"
    similar = found[0].similar
    assert similar is not None
    assert 0 < similar.text < 1
    assert 0 < similar.links <= 1
    assert found[0].score == pytest.approx(similar.text + similar.links, rel=1e-4)
    assert "haydn" not in [answer.title for answer in found]


def test_pages_without_links_are_similar_by_text_alone(web: Web) -> None:
    best = asked(web, f"related:{url('engine')}").answers[0]
    assert (best.title, best.similar is not None and best.similar.links) == ("boiler", 0.0)


def test_what_is_similar_can_be_narrowed(web: Web) -> None:
    assert not asked(web, f"related:{url('haydn')} site:boiler.example quartets").answers
    assert asked(web, "related:nobody.example").total == 0


@pytest.mark.parametrize("query", ["link:ftp://x.example/", "related:http://", "link:\x00", 'related:"a b"'])
def test_what_is_no_address_is_left_out(web: Web, query: str) -> None:
    assert "wants the address of a page" in asked(web, query).notes[0]


HOSTILE = [
    "link:" + "x" * 15_000,
    "link:http://" + "a." * 5_000,
    "link:http://[::1 related:http://[::1]:99999/",
    "related:javascript:alert(1) link:data:text/html,x",
    "link:http://a.example/%00%ff%zz?<script>",
    "related:'; drop table page; --",
    "link:\ud800 related:\udfff mark:\ud800",
    "mark:" + "=" * 1_000 + " mark:topic=* mark:*",
    'related:"https://haydn.example/ OR link:*"',
    "(" * 30 + "link:haydn.example " * 300,
    "related:haydn.example " * 100,
    "-link:haydn.example -related:haydn.example NOT mark:x",
    "link:http://user:secret@haydn.example/ related:../../etc/passwd",
    "link:haydn.example((((a)b)c",
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_addresses_are_answered_at_once(web: Web, query: str) -> None:
    began_s = time.process_time()
    found = search(web[0], query, Wish(feedback=True, related=True, explain=True), web[1])
    assert time.process_time() - began_s < 5  # some milliseconds; a machine may be busy
    assert all(note.endswith(".") and "\n" not in note for note in found.notes)


def test_an_index_alone_knows_no_links(web: Web) -> None:
    assert search(web[0], "link:haydn.example").notes == (
        "link: wants a web, and this index is alone: link:haydn.example was left out.",
    )


def test_sets_of_pages_follow_links_too(web: Web) -> None:
    assert len(pages_found(web[0], "link:haydn.example", store=web[1])) == 3


def test_links_of_the_whole_web_do_not_rank_what_is_similar(web: Web) -> None:
    ids = np.array(sorted(map(number, TEXTS)))
    shares = np.where(ids == number("engine"), 1000.0, 1.0)
    web[0].take_standing(standing_of(ids, shares / shares.sum(), shares))
    assert asked(web, f"related:{url('haydn')}").answers[0].title == "mozart"
    assert asked(web, "type:html").answers[0].title == "engine"


def test_neighbours_that_few_pages_link_to_are_asked_first(web: Web) -> None:
    asked_for: list[int] = []

    class Watched:
        """The store, which remembers whose links it was asked for."""

        links_from = web[1].links_from

        def links_to(self, page: int, most: int) -> list[PageLink]:
            asked_for.append(page)
            return web[1].links_to(page, most)

    popular = {number("haydn"): 900, number("mozart"): 2, number("boiler"): 1}
    near_by_links(cast("Store", Watched()), number("index"), lambda pages: [popular[page] for page in pages])
    assert asked_for == [number("index"), number("mozart"), number("haydn")]
