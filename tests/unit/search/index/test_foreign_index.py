"""The index of another user can be searched, and stays as it is."""

from pathlib import Path

import pytest
from tests.unit.search.texts import entry

from gossamer.errors import BadInput
from gossamer.search.answers.answer_query import search
from gossamer.search.index import search_index
from gossamer.search.index.search_index import Index


def test_an_index_that_can_only_be_read_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = Index(tmp_path / "index").writer()
    writer.put(entry(1, main="violins"))
    writer.commit()
    writer.close()
    before = sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "index").iterdir())
    monkeypatch.setattr(search_index, "is_foreign", lambda _: True)
    index = Index(tmp_path / "index")
    assert search(index, "violins").total == 1
    with pytest.raises(BadInput, match="no permission to write the index"):
        index.writer()
    assert sorted((path.name, path.stat().st_mtime_ns) for path in (tmp_path / "index").iterdir()) == before
