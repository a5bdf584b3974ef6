"""What is worked out for every link of a page equals what plain Python says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.crawl.task.link_keys import ids_of, kinds_of, targets_of, unknown_places
from gossamer.net.url import page_id
from gossamer.records import LinkType
from gossamer.store.batch import KIND_OF_TYPE, LINK_TYPES, NOFOLLOW, SPANS_HOSTS, SPANS_SITES

URLS = st.lists(st.sampled_from([f"http://h{number}.example/" for number in range(9)]))


@given(URLS)
def test_each_url_has_one_id_in_the_order_in_which_they_are_met(urls: list[str]) -> None:
    ids = ids_of(urls)
    assert list(ids.items()) == [(url, page_id(url)) for url in dict.fromkeys(urls)]
    assert targets_of(urls, ids) == [page_id(url) for url in urls]


def test_more_urls_than_are_remembered_have_their_ids() -> None:
    urls = [f"http://h.example/{number}" for number in range(20_000)]
    assert list(ids_of(urls).values()) == [page_id(url) for url in urls]
    assert ids_of(urls[:3]) == {url: page_id(url) for url in urls[:3]}


@given(URLS)
def test_places_are_those_of_urls_that_are_not_known(urls: list[str]) -> None:
    ids = ids_of(urls)
    known = bytes(page_id(url) % 2 for url in ids)
    assert unknown_places(urls, ids, known) == [
        place for place, url in enumerate(urls) if not page_id(url) % 2
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(LINK_TYPES), st.integers(0, 3), st.sampled_from(["", "nofollow ugc", "next"])
        )
    )
)
def test_kinds_are_sums(links: list[tuple[LinkType, int, str]]) -> None:
    urls = [f"http://h.example/{place}" for place in range(len(links))]
    spans = {url: span for url, (_, span, _) in zip(urls, links, strict=True) if span}
    kinds = kinds_of(
        [one for one, _, _ in links], urls, [rel for _, _, rel in links], KIND_OF_TYPE, spans, NOFOLLOW
    )
    assert list(kinds) == [
        KIND_OF_TYPE[one] + span + ("nofollow" in rel) * NOFOLLOW for one, span, rel in links
    ]
    assert SPANS_HOSTS + SPANS_SITES == 3


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        kinds_of(["a"], ["http://h.example/"], [], KIND_OF_TYPE, {}, NOFOLLOW)
    with pytest.raises(ValueError, match="each id"):
        unknown_places([], {"http://h.example/": 1}, b"")
    with pytest.raises(KeyError):
        targets_of(["http://h.example/"], {})
