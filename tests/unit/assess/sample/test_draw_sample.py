import random
from collections import Counter

import pytest
from tests.unit.assess.pages import make_crawled_page

from gossamer.assess.records import Sample
from gossamer.assess.sample.draw_sample import MOST_ITEMS, SampleRequest, draw_sample
from gossamer.assess.sample.page_facts import CrawledPage
from gossamer.errors import BadInput


def make_web(pages: int = 300) -> list[CrawledPage]:
    """Make a web with 10, 20, 40 … pages at depths 0, 1, 2 …, marked with relevance."""
    return [
        make_crawled_page(
            number, depth=(number // 10 + 1).bit_length() - 1, marks={"relevance": str(number / pages)}
        )
        for number in range(pages)
    ]


def draw(pages: list[CrawledPage] | None = None, **options: object) -> Sample:
    request = {"name": "s", "asked": 20, **options}
    return draw_sample(make_web() if pages is None else pages, SampleRequest(**request), now_s=5.0)  # type: ignore[arg-type]


def test_each_stratum_gives_the_requested_number_of_pages_or_all_it_has() -> None:
    sample = draw(by=("depth",))
    assert Counter(item.depth for item in sample.items) == {0: 10, 1: 20, 2: 20, 3: 20, 4: 20}
    assert [(stratum.values, stratum.pages) for stratum in sample.strata] == [
        (("0",), 10),
        (("1",), 20),
        (("2",), 40),
        (("3",), 80),
        (("4",), 150),
    ]
    assert len({item.page for item in sample.items}) == 90


def test_the_sample_depends_on_the_seed_and_not_on_the_order_of_pages() -> None:
    mixed = make_web()
    random.Random(3).shuffle(mixed)
    assert draw(by=("depth",)) == draw(mixed, by=("depth",))
    assert draw(seed=1).items != draw(seed=2).items


def test_every_page_is_equally_likely_to_be_drawn() -> None:
    times = Counter(
        item.page for seed in range(300) for item in draw(make_web(60), seed=seed, asked=15).items
    )
    # 75 expected of each, standard deviation 7.5; five of them are allowed.
    assert min(times[page] for page in range(60)) > 75 - 5 * 7.5
    assert max(times.values()) < 75 + 5 * 7.5


def test_the_order_of_the_sample_does_not_show_the_strata() -> None:
    sample = draw(by=("depth",), asked=40)
    first = Counter(item.depth for item in sample.items[:65])
    assert set(first) == {0, 1, 2, 3, 4}
    depths = [item.depth for item in sample.items]
    assert depths not in (sorted(depths), sorted(depths, reverse=True))


def test_uncertain_pages_come_first() -> None:
    sample = draw(asked=5, chosen="uncertain")
    assert {item.page for item in sample.items} == {148, 149, 150, 151, 152}
    assert sample.items[0].page == 150


def test_strata_can_combine_several_groupings() -> None:
    sample = draw(by=("relevance", "depth"), asked=1)
    assert sample.strata[0].values == ("[0, 0.1)", "0")
    assert len(sample.items) == len(sample.strata)


@pytest.mark.parametrize(
    ("pages", "options", "message"),
    [
        ([], {}, "has no page that can be judged; crawl first"),
        ([], {"where": "depth:9"}, "fits --where 'depth:9'"),
        (None, {"asked": 301}, "--sample 301 is more than there are: 300 pages"),
        ([make_crawled_page(1)], {"asked": 1, "by": ("language",)}, "no page's language is known"),
        (
            [make_crawled_page(1)],
            {"asked": 1, "by": ("depth", "relevance")},
            "--by relevance: no page has a relevance",
        ),
        ([make_crawled_page(1)], {"asked": 1, "chosen": "uncertain"}, "--active: no page has a relevance"),
    ],
)
def test_an_impossible_sample_is_refused_with_the_reason(
    pages: list[CrawledPage] | None, options: dict[str, object], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        draw(pages, **options)


def test_a_sample_beyond_the_limit_is_refused() -> None:
    pages = [make_crawled_page(number, host=f"h{number}.example") for number in range(MOST_ITEMS + 1)]
    with pytest.raises(BadInput, match="10,001 pages of 10,001 strata"):
        draw(pages, by=("host",), asked=1)
