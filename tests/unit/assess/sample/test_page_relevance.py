from pathlib import Path

import msgspec
import pytest
from tests.unit.assess.pages import page
from tests.unit.text.topics.topic_pages import COOKING, STARS, pages

from gossamer.assess.sample.page_relevance import kept_or_asked
from gossamer.config import TaskSpec
from gossamer.store.batch import Batch, TaskNote
from gossamer.store.model_folder import keep_topic_model, topic_path
from gossamer.store.sqlite.sqlite_store import SqliteStore
from gossamer.text.topics.train_topic import train_topic


def task(number: int, topic: str) -> TaskNote:
    spec = TaskSpec(seeds=("http://a.example/",), order="topic", topic=topic)
    return TaskNote(number, f"task{number}", msgspec.json.encode(spec))


@pytest.fixture
def learnt_s(tmp_path: Path) -> float:
    """A web with the topic `food`; when it was learnt."""
    keep_topic_model(train_topic(pages(COOKING, 12), pages(STARS, 12)), tmp_path, "food")
    return topic_path(tmp_path, "food").stat().st_mtime


def test_what_a_crawl_for_the_topic_left_since_it_was_learnt_is_taken(
    tmp_path: Path, learnt_s: float
) -> None:
    marks = {"relevance": "0.9375"}
    rated = page(1, task=1, marks=marks, fetched_s=learnt_s + 1)
    before = page(2, task=1, marks=marks, fetched_s=learnt_s - 1)
    for_others = page(3, task=2, marks=marks, fetched_s=learnt_s + 1)
    unmarked = page(4, task=1, fetched_s=learnt_s + 1)
    store = SqliteStore(tmp_path / "state.sqlite", create=True)
    store.commit(Batch(tasks=[task(1, "food"), task(2, "stars")]))
    relevance = kept_or_asked(store, tmp_path, "food")
    # The archive has none of them: whoever is asked anew has nothing to say.
    assert [relevance(one) for one in (rated, before, for_others, unmarked)] == [0.9375, None, None, None]
    store.close()
