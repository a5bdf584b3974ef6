import random
from collections import Counter

import pytest
from tests.unit.assess.pages import facts

from gossamer.assess.records import Sample
from gossamer.assess.sample.draw_sample import MOST_ITEMS, Wish, draw
from gossamer.assess.sample.page_facts import Facts
from gossamer.errors import BadInput


def web(pages: int = 300) -> list[Facts]:
    """A web whose depths 0, 1, 2 … have 10, 20, 40 … pages and so on, marked with relevance."""
    return [
        facts(number, depth=(number // 10 + 1).bit_length() - 1, marks={"relevance": str(number / pages)})
        for number in range(pages)
    ]


def drawn(pages: list[Facts] | None = None, **wish: object) -> Sample:
    told = {"name": "s", "asked": 20, **wish}
    return draw(web() if pages is None else pages, Wish(**told), now_s=5.0)  # type: ignore[arg-type]


def test_each_stratum_gives_as_many_as_were_asked_for_or_all_it_has() -> None:
    sample = drawn(by=("depth",))
    assert Counter(item.depth for item in sample.items) == {0: 10, 1: 20, 2: 20, 3: 20, 4: 20}
    assert [(stratum.values, stratum.pages) for stratum in sample.strata] == [
        (("0",), 10),
        (("1",), 20),
        (("2",), 40),
        (("3",), 80),
        (("4",), 150),
    ]
    assert len({item.page for item in sample.items}) == 90


def test_the_seed_alone_decides_whatever_the_order_of_pages() -> None:
    mixed = web()
    random.Random(3).shuffle(mixed)
    assert drawn(by=("depth",)) == drawn(mixed, by=("depth",))
    assert drawn(seed=1).items != drawn(seed=2).items


def test_every_page_has_the_same_chance() -> None:
    times = Counter(item.page for seed in range(300) for item in drawn(web(60), seed=seed, asked=15).items)
    # 75 expected of each, standard deviation 7.5; five of these are left to chance.
    assert min(times[page] for page in range(60)) > 75 - 5 * 7.5
    assert max(times.values()) < 75 + 5 * 7.5


def test_the_order_of_showing_tells_nothing_of_strata() -> None:
    sample = drawn(by=("depth",), asked=40)
    first = Counter(item.depth for item in sample.items[:65])
    assert set(first) == {0, 1, 2, 3, 4}
    depths = [item.depth for item in sample.items]
    assert depths not in (sorted(depths), sorted(depths, reverse=True))


def test_uncertain_pages_come_first() -> None:
    sample = drawn(asked=5, chosen="uncertain")
    assert {item.page for item in sample.items} == {148, 149, 150, 151, 152}
    assert sample.items[0].page == 150


def test_strata_of_several_groupings() -> None:
    sample = drawn(by=("relevance", "depth"), asked=1)
    assert sample.strata[0].values == ("[0, 0.1)", "0")
    assert len(sample.items) == len(sample.strata)


@pytest.mark.parametrize(
    ("pages", "wish", "sentence"),
    [
        ([], {}, "has no page that could be judged; crawl first"),
        ([], {"where": "depth:9"}, "fits --where 'depth:9'"),
        (None, {"asked": 301}, "--sample 301 is more than there are: 300 pages"),
        ([facts(1)], {"asked": 1, "by": ("language",)}, "no page's language is known"),
        ([facts(1)], {"asked": 1, "by": ("depth", "relevance")}, "--by relevance: no page has a relevance"),
        ([facts(1)], {"asked": 1, "chosen": "uncertain"}, "--active: no page has a relevance"),
    ],
)
def test_what_cannot_be_drawn_is_told(
    pages: list[Facts] | None, wish: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        drawn(pages, **wish)


def test_more_than_anybody_judges_is_refused() -> None:
    pages = [facts(number, host=f"h{number}.example") for number in range(MOST_ITEMS + 1)]
    with pytest.raises(BadInput, match="10,001 pages of 10,001 strata"):
        drawn(pages, by=("host",), asked=1)
