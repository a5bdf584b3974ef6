from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.contract.rows import to_columns

from gossamer.records import PageLink
from gossamer.search.links import disk_buckets
from gossamer.search.links.anchor_texts import PageAnchors, WebAnchors, choose_anchors
from gossamer.search.links.disk_buckets import DiskBuckets
from gossamer.search.links.link_walk import NAMED, PageSites, walk_links
from gossamer.store.batch import Batch
from gossamer.store.sqlite.sqlite_store import SqliteStore

SITES = 5
"""In these tests the site of a page is the last digit of its id, as it were."""


def choose(folder: Path, links: Sequence[PageLink], web_pages: int = 100) -> tuple[SqliteStore, WebAnchors]:
    store = SqliteStore(folder / "state.sqlite", create=True)
    rows = [(o.source, o.target, o.type, o.text, o.nofollow, o.spans_hosts, o.spans_sites) for o in links]
    store.commit(Batch(links=to_columns(rows)))
    named = DiskBuckets(folder, "named", NAMED, len(links))
    ids = np.arange(1, 100)
    walk_links(store, PageSites(ids, (ids % SITES).astype(np.int32)), named)
    return store, choose_anchors(store, named, folder, web_pages)


def choose_texts(folder: Path, links: Sequence[PageLink]) -> dict[int, tuple[str, ...]]:
    _, anchors = choose(folder, links)
    found = anchors.read([link.target for link in links])
    return {page: one.texts for page, one in found.items() if one.texts}


def other(source: int, target: int, text: str) -> PageLink:
    return PageLink(source, target, "a", text, spans_hosts=True, spans_sites=True)


def test_texts_belong_to_the_target_of_their_link(tmp_path: Path) -> None:
    links = [PageLink(1, 2, "a", "Haydn"), PageLink(3, 2, "area", "the composer"), PageLink(3, 4, "a", "")]
    found = choose_texts(tmp_path, links)
    assert {page: sorted(texts) for page, texts in found.items()} == {2: ["Haydn", "the composer"]}


def test_texts_of_other_sites_count_more_and_come_first(tmp_path: Path) -> None:
    own = [PageLink(source, 2, "a", "menu") for source in range(10, 60)]
    others = [other(source, 2, "Haydn") for source in (3, 4, 5)]
    assert choose_texts(tmp_path, own + others) == {2: ("Haydn", "Haydn", "Haydn", "menu")}


def test_many_links_of_one_site_count_as_one(tmp_path: Path) -> None:
    one_site = [other(source, 2, "Haydn") for source in (3, 8, 13, 18, 23)]
    assert choose_texts(tmp_path, one_site) == {2: ("Haydn", "Haydn")}


def test_frequent_texts_of_the_own_site_come_before_rare_ones(tmp_path: Path) -> None:
    often = [PageLink(source, 2, "a", "often") for source in range(10, 30)]
    once = [PageLink(9, 2, "a", f"once {n}") for n in range(20)]
    texts = choose_texts(tmp_path, once + often)[2]
    assert (len(texts), texts[0]) == (10, "often")


def test_texts_that_lead_to_many_pages_are_generic(tmp_path: Path) -> None:
    everywhere = [
        PageLink(1, target, "a", f"Click {'HERE' if target % 2 else 'here'}") for target in range(2, 40)
    ]
    _, anchors = choose(tmp_path, [*everywhere, PageLink(1, 2, "a", "Haydn")])
    assert anchors.read([2])[2].texts == ("Haydn",)
    assert anchors.read([3])[3].texts == ()
    assert anchors.generic.select(["click HERE", "Haydn", "new"]) == {"click HERE"}


def test_in_a_large_web_more_pages_may_have_the_same_name(tmp_path: Path) -> None:
    namesakes = [PageLink(1, target, "a", "Haydn") for target in range(2, 40)]
    _, anchors = choose(tmp_path, namesakes, web_pages=100_000)
    assert anchors.read([2])[2].texts == ("Haydn",)


def test_links_to_itself_other_types_and_nofollow_name_nothing(tmp_path: Path) -> None:
    links = [PageLink(1, 1, "a", "I am the best"), PageLink(1, 2, "link", "style")]
    assert choose_texts(tmp_path, [*links, PageLink(1, 3, "a", "spam", nofollow=True)]) == {}


def test_redirects_pass_on_anchor_texts(tmp_path: Path) -> None:
    links = [PageLink(1, 2, "a", "Haydn"), PageLink(2, 3, "redirect"), PageLink(3, 4, "redirect")]
    assert choose_texts(tmp_path, links) == {4: ("Haydn",)}


def test_circular_redirects_end(tmp_path: Path) -> None:
    links = [PageLink(1, 2, "a", "x"), PageLink(2, 3, "redirect"), PageLink(3, 2, "redirect")]
    assert choose_texts(tmp_path, links).keys() <= {2, 3}


def test_the_digest_changes_only_with_the_texts(tmp_path: Path) -> None:
    links = [PageLink(1, 2, "a", "Haydn"), other(3, 2, "Joseph"), PageLink(1, 4, "a", "Bach")]
    digests = []
    for name, some in {"a": links, "b": links[::-1], "c": [*links, PageLink(7, 2, "a", "new")]}.items():
        (tmp_path / name).mkdir()
        _, anchors = choose(tmp_path / name, some)
        digests.append(anchors.get_digests([2, 4, 99]).tolist())
    assert digests[0] == digests[1]
    assert (digests[2][0] != digests[0][0], digests[2][1:]) == (True, digests[0][1:])
    assert digests[0][2] == 0


def test_a_deleted_row_clears_the_digest(tmp_path: Path) -> None:
    store, anchors = choose(tmp_path, [PageLink(1, 2, "a", "Haydn"), PageLink(3, 2, "a", "Joseph")])
    store.commit(Batch(read=[1]))
    assert anchors.read([2, 50]) == {2: PageAnchors(("Joseph",), 0), 50: PageAnchors()}


@pytest.mark.parametrize("most", [40, 4_000_000])
def test_the_number_of_buckets_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The choice agrees with a plain implementation, for ids all over 64 bits."""
    monkeypatch.setattr(disk_buckets, "_MOST_IN_A_BUCKET", most)
    random = Random(5)
    pages = [random.getrandbits(64) - 2**63 for _ in range(30)]
    links = [
        other(random.randrange(1, 90), random.choice(pages), f"name {random.randrange(60)}")
        for _ in range(400)
    ]
    sites: dict[int, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for link in links:
        sites[link.target][link.text].add(link.source % SITES)
    targets = Counter(text for texts in sites.values() for text in texts)
    found = choose_texts(tmp_path, links)
    assert found.keys() == sites.keys()
    for page, texts in sites.items():
        times = {text: min(4, 1 + len(by).bit_length()) for text, by in texts.items() if targets[text] <= 20}
        best = sorted(times.values(), reverse=True)[:10]
        assert sorted(Counter(found[page]).values(), reverse=True) == best
        assert all(times[text] == count for text, count in Counter(found[page]).items())
