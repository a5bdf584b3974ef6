from pathlib import Path

import msgspec
import pytest
from tests.unit.assess.pages import make_page
from tests.unit.text.topics.topic_pages import COOKING, STARS, pages

from gossamer.assess.sample.page_relevance import make_cached_relevance
from gossamer.config import TaskSpec
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.model_folder import keep_topic_model, topic_path
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.text.topics.train_topic import train_topic


def make_task(number: int, topic: str) -> TaskNote:
    spec = TaskSpec(seeds=("http://a.example/",), order="topic", topic=topic)
    return TaskNote(number, f"task{number}", msgspec.json.encode(spec))


@pytest.fixture
def learnt_s(tmp_path: Path) -> float:
    """Train the topic `food` in a web; return when it was saved."""
    keep_topic_model(train_topic(pages(COOKING, 12), pages(STARS, 12)), tmp_path, "food")
    return topic_path(tmp_path, "food").stat().st_mtime


def test_marks_of_a_crawl_for_the_topic_count_if_they_are_newer_than_the_topic(
    tmp_path: Path, learnt_s: float
) -> None:
    marks = {"relevance": "0.9375"}
    rated = make_page(1, task=1, marks=marks, fetched_s=learnt_s + 1)
    before = make_page(2, task=1, marks=marks, fetched_s=learnt_s - 1)
    for_others = make_page(3, task=2, marks=marks, fetched_s=learnt_s + 1)
    unmarked = make_page(4, task=1, fetched_s=learnt_s + 1)
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    store.commit(Batch(tasks=[make_task(1, "food"), make_task(2, "stars")]))
    relevance = make_cached_relevance(store, tmp_path, "food")
    # The archive has none of the pages, so the topic cannot rate them.
    assert [relevance(one) for one in (rated, before, for_others, unmarked)] == [0.9375, None, None, None]
    store.close()
