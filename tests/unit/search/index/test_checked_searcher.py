"""A damaged index is reported in one sentence."""

import random
from pathlib import Path

import pytest
from tests.unit.search.texts import entry

from gossamer.errors import StoreFailed
from gossamer.search.engine import tantivy
from gossamer.search.index.search_index import Index


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("suffix", ["store", "term"])
def test_a_damaged_file_is_reported_as_a_damaged_index(tmp_path: Path, suffix: str) -> None:
    index = Index(tmp_path / "index")
    writer = index.writer()
    words = [f"word{number}" for number in range(400)]
    for number in range(50):
        facts = {"url": f"https://a.example/{number}", "host": "a.example", "title": "Page"}
        text = " ".join(random.Random(number).sample(words, 200))
        writer.add(entry(number, **facts, main=text, language="en", date_s=0.0, depth=0))
    writer.commit()
    writer.close()
    path = max(index.folder.glob(f"*.{suffix}"), key=lambda each: each.stat().st_size)  # type: ignore[union-attr]
    data = bytearray(path.read_bytes())
    rnd = random.Random(3)
    for _ in range(len(data) // 20):
        data[rnd.randrange(len(data) - 150)] ^= 1 << rnd.randrange(8)
    path.write_bytes(bytes(data))
    damaged = Index(tmp_path / "index")

    def read_everything() -> None:
        for word in words:
            damaged.count_pages("words", word)
        for _, place in damaged.searcher.search(tantivy.Query.all_query(), limit=50).hits:
            damaged.load_page(place)

    with pytest.raises(StoreFailed, match="`gossamer verify --repair` builds it anew"):
        read_everything()
