import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from tests.unit.search.webs import TEXTS, linked_web, number, url

from gossamer.records import PageLink
from gossamer.search.answers.answer_query import find_pages, search
from gossamer.search.answers.answer_records import Answers, SearchOptions
from gossamer.search.index.search_index import Index
from gossamer.search.links.page_neighbours import score_neighbours
from gossamer.search.links.static_rank import make_ranks
from gossamer.store.batch import Store
from gossamer.store.sqlite.sqlite_store import SqliteStore

Web = tuple[Index, SqliteStore]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    yield from linked_web(Path(tmp_path_factory.mktemp("links")))


def ask(web: Web, query: str) -> Answers:
    return search(web[0], query, store=web[1])


def test_link_finds_linking_pages_with_their_link_texts(web: Web) -> None:
    found = ask(web, f"link:{url('haydn')}")
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
def test_link_takes_many_forms_of_an_address(web: Web, query: str, titles: set[str]) -> None:
    assert {answer.title for answer in ask(web, query).answers} == titles


def test_similar_pages_have_similarities_by_text_and_links(web: Web) -> None:
    found = ask(web, f"related:{url('haydn')}").answers
    assert found[0].title == "mozart"
    similar = found[0].similar
    assert similar is not None
    assert 0 < similar.text < 1
    assert 0 < similar.links <= 1
    assert found[0].score == pytest.approx(similar.text + similar.links, rel=1e-4)
    assert "haydn" not in [answer.title for answer in found]


def test_pages_without_links_are_similar_by_text_alone(web: Web) -> None:
    best = ask(web, f"related:{url('engine')}").answers[0]
    assert (best.title, best.similar is not None and best.similar.links) == ("boiler", 0.0)


def test_related_combines_with_other_conditions(web: Web) -> None:
    assert not ask(web, f"related:{url('haydn')} site:boiler.example quartets").answers
    assert ask(web, "related:nobody.example").total == 0


@pytest.mark.parametrize(
    "query", ["link:gopher://x.example/", "related:http://", "link:\x00", 'related:"a b"']
)
def test_a_value_that_is_not_an_address_is_left_out(web: Web, query: str) -> None:
    assert "needs the address of a page" in ask(web, query).notes[0]


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
def test_hostile_addresses_do_not_hang(web: Web, query: str) -> None:
    began_s = time.process_time()
    found = search(web[0], query, SearchOptions(feedback=True, related=True, explain=True), web[1])
    assert time.process_time() - began_s < 5  # a guard: it takes milliseconds
    assert all(note.endswith(".") and "\n" not in note for note in found.notes)


def test_an_index_without_a_store_leaves_out_link(web: Web) -> None:
    assert search(web[0], "link:haydn.example").notes == (
        "link: needs a web, and this index has none: link:haydn.example was left out.",
    )


def test_find_pages_understands_link(web: Web) -> None:
    assert len(find_pages(web[0], "link:haydn.example", store=web[1])) == 3


def test_static_rank_does_not_affect_similarity(web: Web) -> None:
    ids = np.array(sorted(map(number, TEXTS)))
    shares = np.where(ids == number("engine"), 1000.0, 1.0)
    web[0].set_ranks(make_ranks(ids, shares / shares.sum(), shares))
    assert ask(web, f"related:{url('haydn')}").answers[0].title == "mozart"
    assert ask(web, "type:html").answers[0].title == "engine"


def test_targets_with_few_in_links_are_read_first(web: Web) -> None:
    looked_up: list[int] = []

    class RecordingStore:
        """The store, recording the pages whose in-links are read."""

        links_from = web[1].links_from

        def links_to(self, page: int, most: int) -> list[PageLink]:
            looked_up.append(page)
            return web[1].links_to(page, most)

    popular = {number("haydn"): 900, number("mozart"): 2, number("boiler"): 1}
    score_neighbours(
        cast("Store", RecordingStore()), number("index"), lambda pages: [popular[page] for page in pages]
    )
    assert looked_up == [number("index"), number("mozart"), number("haydn")]
