"""A crawl writes into segments as it does into an archive of its own, through the same writer of batches."""

from itertools import count
from pathlib import Path

import pytest
from tests.crawl.harness import make_quick_task, read_pages, run, serve_lab
from tests.shared_archive.exchanges import open_reader, open_writer
from tests.shared_archive.sqlite_pack_table import SqlitePackTable

from gossamer.crawl.from_archive.archived_pages import decode_content
from gossamer.crawl.run import assemble_crawl
from gossamer.lab.world.world import World
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.store.shared_archive.pack_segments import clean_up, pack_segments
from gossamer.web import Web


def test_every_page_of_a_crawl_is_in_a_segment(
    store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, epochs = SqlitePackTable(tmp_path / "rows"), count(1)
    monkeypatch.setattr(
        assemble_crawl,
        "_open_archive",
        lambda *_: open_writer(store, table, tmp_path / "cache", epoch=next(epochs)),
    )
    with serve_lab(World(seed=3, hosts=4, pages=120)) as running:
        task = make_quick_task(running)
        log = run(tmp_path / "web", task)
        assert log.get_end().state == "finished"
        pages = read_pages(tmp_path / "web")
        assert len(pages) > 50
        with Web(tmp_path / "web") as web:
            ends = web.store.archive_ends()
        assert ends
        assert not (tmp_path / "web" / "archive").exists()
        assert ends == dict(open_reader(store, table, tmp_path / "cache").list_files())
        table.commit(ends)
        pack_segments(store, table, whole_only=False)
        clean_up(store, table, grace_s=0)
        reader = open_reader(store, table, tmp_path / "other")
        for page in pages.values():
            found = reader.read(WarcPosition(page.warc, page.warc_offset), decode_content)
            assert found is not None
            assert found.url == page.url
            assert len(found.body) == page.body_bytes
