from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.unit.assess.pages import make_page

from gossamer.assess.judgements import save_judgements, save_sample
from gossamer.assess.records import Item, Judgement, Sample, Stratum
from gossamer.assess.results.crawl_report import CrawlReport, make_report
from gossamer.assess.sample.page_facts import read_crawled_pages
from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.records import Page, Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore


def make_task(number: int, order: str) -> TaskNote:
    spec = TaskSpec(seeds=("http://a.example/",), order=order)
    return TaskNote(number, f"task{number}", msgspec.json.encode(spec))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A web of ten pages at depths 0 to 3, the odd ones relevant; a second task fetched the first three too."""
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    pages = [make_rated_page(number) for number in range(1, 11)]
    fetches = [(one.id, 1, 100.0 + one.id) for one in pages] + [
        (number, 2, 200.0 + number) for number in (3, 2, 1)
    ]
    visits = [Visit(number, which, when_s, "fetched", 200) for number, which, when_s in fetches]
    again = Visit(1, 1, 500.0, "not modified")
    opened.commit(
        Batch(tasks=[make_task(1, "breadth"), make_task(2, "depth")], pages=pages, visits=[*visits, again])
    )
    yield opened
    opened.close()


def make_rated_page(number: int) -> Page:
    return make_page(number, depth=number // 3, marks={"relevance": "0.95" if number % 2 else "0.05"})


def read_report(store: SqliteStore, threshold: float = 0.9, sample: str | None = None) -> CrawlReport:
    return make_report(store, read_crawled_pages(store), threshold, sample)


def test_pages_are_counted_by_depth_and_relevance(store: SqliteStore) -> None:
    breadth, depth = read_report(store).crawls
    assert (breadth.order, depth.order) == ("breadth", "depth")
    assert [(row.depth, row.pages, row.relevant) for row in breadth.depths] == [
        (0, 2, 1),
        (1, 3, 2),
        (2, 3, 1),
        (3, 2, 1),
    ]
    assert [(row.depth, row.pages) for row in depth.depths] == [(0, 2), (1, 1)]
    assert [row.relevant for row in read_report(store, 0.96).crawls[0].depths] == [0, 0, 0, 0]


def test_the_histogram_counts_relevance_in_twentieths(store: SqliteStore) -> None:
    breadth = read_report(store).crawls[0]
    assert len(breadth.histogram) == 20
    assert (breadth.histogram[1], breadth.histogram[19], sum(breadth.histogram)) == (5, 5, 10)
    assert breadth.unrated == 0
    store.commit(
        Batch(pages=[make_page(11), make_page(12, marks={"relevance": "much"}), make_page(13, kind="image")])
    )
    assert read_report(store).crawls[0].unrated == 2


def test_the_harvest_follows_the_visits_of_each_order(store: SqliteStore) -> None:
    breadth, depth = read_report(store).crawls
    assert [(point.elapsed_s, point.pages, point.relevant) for point in breadth.harvest][:3] == [
        (0.0, 1, 1),
        (1.0, 2, 1),
        (2.0, 3, 2),
    ]
    assert breadth.harvest[-1].harvest == 0.5
    assert [point.relevant for point in depth.harvest] == [1, 1, 2]


def test_the_harvest_has_at_most_a_hundred_points_and_ends_with_the_last_page(store: SqliteStore) -> None:
    store.commit(Batch(pages=[make_rated_page(number) for number in range(100, 1100)]))
    harvest = read_report(store).crawls[0].harvest
    assert len(harvest) == 100
    assert harvest[-1].pages == 1010


def save_judged_sample(store: SqliteStore, name: str, **options: object) -> None:
    items = tuple(
        Item(one.id, one.depth, order="breadth", relevance=0.95 if one.id % 2 else 0.05)
        for one in store.pages()
    )
    strata = tuple(Stratum((str(depth),), pages) for depth, pages in enumerate((2, 3, 3, 2)))
    save_sample(store, Sample(name, 3, 1, ("depth",), strata=strata, items=items, **options))  # type: ignore[arg-type]
    judgements = [
        Judgement("a", item.page, "relevant" if item.page < 6 else "not", item.page, 0.0) for item in items
    ]
    save_judgements(store, name, judgements[: 4 if name == "few" else 9])


def test_precision_by_depth_is_reported_for_all_and_for_relevant_pages(store: SqliteStore) -> None:
    assert read_report(store).assessed == ()
    save_judged_sample(store, "few")
    save_judged_sample(store, "many")
    save_judged_sample(store, "lessons", chosen="uncertain")
    (found,) = read_report(store).assessed
    assert (found.sample, found.order) == ("many", "breadth")
    assert [row.precision for row in found.all] == [1.0, 1.0, 0.0, 0.0]
    assert [row.judged for row in found.relevant] == [1, 2, 1, 1]
    assert read_report(store, sample="few").assessed[0].sample == "few"
    with pytest.raises(BadInput, match="no sample 'none'"):
        read_report(store, sample="none")


def test_the_present_relevance_of_pages_counts_and_not_that_of_the_sample(
    store: SqliteStore,
) -> None:
    save_judged_sample(store, "many")
    (found,) = make_report(store, read_crawled_pages(store, lambda _: 1.0)).assessed
    assert found.relevant == found.all
