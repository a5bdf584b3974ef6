from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.unit.assess.pages import page

from gossamer.assess.judgements import keep_judgements, keep_sample
from gossamer.assess.records import Item, Judgement, Sample, Stratum
from gossamer.assess.results.crawl_report import Report, report
from gossamer.assess.sample.page_facts import read_pages
from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.records import Page, Visit
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.sqlite.sqlite_store import SqliteStore


def task(number: int, order: str) -> TaskNote:
    spec = TaskSpec(seeds=("http://a.example/",), order=order)
    return TaskNote(number, f"task{number}", msgspec.json.encode(spec))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A web of ten pages at depths 0 to 3, the odd ones relevant; a second task came to the first three as well."""
    opened = SqliteStore(tmp_path / "state.sqlite", create=True)
    pages = [rated(number) for number in range(1, 11)]
    came = [(one.id, 1, 100.0 + one.id) for one in pages] + [
        (number, 2, 200.0 + number) for number in (3, 2, 1)
    ]
    visits = [Visit(number, which, when_s, "fetched", 200) for number, which, when_s in came]
    again = Visit(1, 1, 500.0, "not modified")
    opened.commit(Batch(tasks=[task(1, "breadth"), task(2, "depth")], pages=pages, visits=[*visits, again]))
    yield opened
    opened.close()


def rated(number: int) -> Page:
    return page(number, depth=number // 3, marks={"relevance": "0.95" if number % 2 else "0.05"})


def made(store: SqliteStore, threshold: float = 0.9, sample: str | None = None) -> Report:
    return report(store, read_pages(store), threshold, sample)


def test_pages_by_depth_and_relevance(store: SqliteStore) -> None:
    breadth, depth = made(store).crawls
    assert (breadth.order, depth.order) == ("breadth", "depth")
    assert [(row.depth, row.pages, row.relevant) for row in breadth.depths] == [
        (0, 2, 1),
        (1, 3, 2),
        (2, 3, 1),
        (3, 2, 1),
    ]
    assert [(row.depth, row.pages) for row in depth.depths] == [(0, 2), (1, 1)]
    assert [row.relevant for row in made(store, 0.96).crawls[0].depths] == [0, 0, 0, 0]


def test_histogram_in_twentieths(store: SqliteStore) -> None:
    breadth = made(store).crawls[0]
    assert len(breadth.histogram) == 20
    assert (breadth.histogram[1], breadth.histogram[19], sum(breadth.histogram)) == (5, 5, 10)
    assert breadth.unrated == 0
    store.commit(Batch(pages=[page(11), page(12, marks={"relevance": "much"}), page(13, kind="image")]))
    assert made(store).crawls[0].unrated == 2


def test_harvest_follows_the_visits_of_each_order(store: SqliteStore) -> None:
    breadth, depth = made(store).crawls
    assert [(point.elapsed_s, point.pages, point.relevant) for point in breadth.harvest][:3] == [
        (0.0, 1, 1),
        (1.0, 2, 1),
        (2.0, 3, 2),
    ]
    assert breadth.harvest[-1].harvest == 0.5
    assert [point.relevant for point in depth.harvest] == [1, 1, 2]


def test_points_are_few_and_the_last_is_the_end(store: SqliteStore) -> None:
    store.commit(Batch(pages=[rated(number) for number in range(100, 1100)]))
    harvest = made(store).crawls[0].harvest
    assert len(harvest) == 100
    assert harvest[-1].pages == 1010


def judged(store: SqliteStore, name: str, **told: object) -> None:
    items = tuple(
        Item(one.id, one.depth, order="breadth", relevance=0.95 if one.id % 2 else 0.05)
        for one in store.pages()
    )
    strata = tuple(Stratum((str(depth),), pages) for depth, pages in enumerate((2, 3, 3, 2)))
    keep_sample(store, Sample(name, 3, 1, ("depth",), strata=strata, items=items, **told))  # type: ignore[arg-type]
    said = [
        Judgement("a", item.page, "relevant" if item.page < 6 else "not", item.page, 0.0) for item in items
    ]
    keep_judgements(store, name, said[: 4 if name == "few" else 9])


def test_precision_by_depth_of_all_and_of_relevant_pages(store: SqliteStore) -> None:
    assert made(store).assessed == ()
    judged(store, "few")
    judged(store, "many")
    judged(store, "lessons", chosen="uncertain")
    (told,) = made(store).assessed
    assert (told.sample, told.order) == ("many", "breadth")
    assert [row.precision for row in told.all] == [1.0, 1.0, 0.0, 0.0]
    assert [row.judged for row in told.relevant] == [1, 2, 1, 1]
    assert made(store, sample="few").assessed[0].sample == "few"
    with pytest.raises(BadInput, match="no sample 'none'"):
        made(store, sample="none")


def test_what_is_said_of_pages_now_counts_and_not_what_was_said_when_they_were_drawn(
    store: SqliteStore,
) -> None:
    judged(store, "many")
    (told,) = report(store, read_pages(store, lambda _: 1.0)).assessed
    assert told.relevant == told.all
