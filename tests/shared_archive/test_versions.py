"""Versions of index and models: complete, the same on every machine, and written by one writer at a time."""

import os
import shutil
import threading
from pathlib import Path

import msgspec
import pytest
from tests.crawl.harness import make_quick_task, run, serve_lab
from tests.shared_archive.counting_store import CountingStore

from gossamer.errors import StoreFailed
from gossamer.lab.world.world import World
from gossamer.store.derived_versions.fetch_version import VersionCache
from gossamer.store.derived_versions.numbered_objects import NumberedObjects
from gossamer.store.derived_versions.publish_version import (
    VersionConflict,
    find_current_version,
    publish_version,
)
from gossamer.store.derived_versions.version_manifest import Version, VersionFile, decode_version
from gossamer.store.derived_versions.writer_lease import WriterLease
from gossamer.store.shared_archive.object_store import ObjectStore
from gossamer.web import Web


def take_lease(store: ObjectStore, owner: str = "one", lease_s: float = 60) -> WriterLease:
    lease = WriterLease(store, "derived/index", owner, lease_s)
    assert lease.take()
    return lease


def write_folder(folder: Path, **files: str) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def read_folder(folder: Path | None) -> dict[str, str]:
    assert folder is not None
    return {
        str(path.relative_to(folder)): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file() and path.name != "version.json"
    }


def test_two_machines_see_the_same_version(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    folder = write_folder(tmp_path / "index", a="1", b__c="2")
    assert publish_version(store, "index", folder, lease, 0, {"last": "7"}).number == 1
    caches = [VersionCache(store, "index", tmp_path / name) for name in ("here", "there")]
    for cache in caches:
        assert cache.fetch()
        assert not cache.fetch()
        assert read_folder(cache.path) == {"a": "1", "b/c": "2"}
        assert cache.current is not None
        assert cache.current.facts == {"last": "7"}


def test_a_newer_version_is_fetched_and_the_old_one_stays_for_its_readers(
    store: ObjectStore, tmp_path: Path
) -> None:
    lease, cache = take_lease(store), VersionCache(store, "index", tmp_path / "here")
    paths = []
    for number in range(4):
        folder = write_folder(tmp_path / "index", same="x" * 100, other=str(number))
        publish_version(store, "index", folder, lease, number)
        assert cache.fetch()
        assert cache.path is not None
        paths.append(cache.path)
        assert read_folder(cache.path) == {"same": "x" * 100, "other": str(number)}
    assert [path.exists() for path in paths] == [False, False, True, True]
    assert (paths[2] / "same").stat().st_ino == (paths[3] / "same").stat().st_ino, "it was not fetched again"


def test_files_that_did_not_change_are_not_uploaded_again(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    first = publish_version(store, "index", write_folder(tmp_path / "index", a="1", b="2"), lease, 0)
    second = publish_version(store, "index", write_folder(tmp_path / "index", a="1", b="3"), lease, 1)
    assert first.by_path()["a"].object == second.by_path()["a"].object
    assert len(list(store.list("derived/index/files"))) == 3


def test_the_last_two_versions_are_kept(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    for number in range(5):
        folder = write_folder(tmp_path / "index", a=str(number), b="same")
        publish_version(store, "index", folder, lease, number, young_s=0)
    assert len(list(store.list("derived/index/versions"))) == 2
    assert len(list(store.list("derived/index/files"))) == 3
    cache = VersionCache(store, "index", tmp_path / "here")
    assert cache.fetch()
    assert read_folder(cache.path) == {"a": "4", "b": "same"}


def test_locks_and_unfinished_files_are_left_out(store: ObjectStore, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "index", a="1")
    for name in (".tantivy-writer.lock", ".tmpAbCdEf"):
        (folder / name).write_text("", "utf-8")
    (folder / ".managed.json").write_text("[]", "utf-8")
    version = publish_version(store, "index", folder, take_lease(store), 0)
    assert sorted(version.by_path()) == [".managed.json", "a"]


def test_only_one_of_two_writers_publishes(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    folder = write_folder(tmp_path / "index", a="1")
    results: list[object] = []

    def publish() -> None:
        try:
            results.append(publish_version(store, "index", folder, lease, 0).number)
        except VersionConflict as conflict:
            results.append(str(conflict))

    threads = [threading.Thread(target=publish) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results.count(1) == 1
    assert results.count("another writer has published the index") == 3
    current = find_current_version(store, "index")
    assert current is not None
    assert current.number == 1


def test_a_writer_without_the_lease_publishes_nothing(store: ObjectStore, tmp_path: Path) -> None:
    now = [1000.0]
    sleeper = WriterLease(store, "derived/index", "sleeper", 0.5, clock=lambda: now[0])
    assert sleeper.take()
    now[0] += 100  # it was stopped for longer than its lease
    assert not sleeper.held
    other = WriterLease(store, "derived/index", "other", 60)
    while not other.take():  # the clock of the store decides
        pass
    with pytest.raises(VersionConflict, match="has the lease"):
        publish_version(store, "index", write_folder(tmp_path / "index", a="1"), sleeper, 0)
    assert find_current_version(store, "index") is None


def test_a_lease_is_held_by_one(store: ObjectStore) -> None:
    first, second = (WriterLease(store, "derived/index", name) for name in ("first", "second"))
    assert first.find_holder() == ""
    assert first.take()
    assert not second.take()
    assert second.find_holder() == "first"
    assert first.renew()
    assert first.held
    assert not second.held
    first.release()
    assert not first.held
    assert second.take()
    assert not first.renew()
    assert len(list(store.list("derived/index/lease"))) == 1


def test_of_many_that_take_a_lease_at_once_one_gets_it(store: ObjectStore) -> None:
    leases = [WriterLease(store, "derived/index", str(number)) for number in range(6)]
    taken: list[bool] = []
    threads = [threading.Thread(target=lambda lease=lease: taken.append(lease.take())) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 5 + [True]
    assert sum(lease.held for lease in leases) == 1


def test_a_number_that_was_deleted_cannot_be_taken_again(store: ObjectStore) -> None:
    series = NumberedObjects(store, "series")
    for number in range(1, 6):
        assert series.add(number, str(number).encode())
    series.drop_before(5)
    assert not series.add(3, b"late"), "this one slept while the others went on"
    newest = series.find_newest()
    assert newest is not None
    assert (newest.number, newest.content) == (5, b"5")
    assert series.find_newest(5) is None


def test_a_publisher_that_dies_leaves_the_current_version(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    publish_version(store, "index", write_folder(tmp_path / "index", a="1", b="1"), lease, 0)

    class Dying(CountingStore):
        def create(self, name: str, data: bytes) -> bool:
            if "/versions/" in name:
                raise StoreFailed("killed")
            return super().create(name, data)

    folder = write_folder(tmp_path / "index", a="2", b="2")
    with pytest.raises(StoreFailed, match="killed"):
        publish_version(Dying(store), "index", folder, lease, 1)  # type: ignore[arg-type]
    cache = VersionCache(store, "index", tmp_path / "here")
    assert cache.fetch()
    assert read_folder(cache.path) == {"a": "1", "b": "1"}
    assert publish_version(store, "index", folder, lease, 1, young_s=0).number == 2
    assert len(list(store.list("derived/index/files"))) == 4


def test_polling_is_cheap(store: ObjectStore, tmp_path: Path) -> None:
    lease, now = take_lease(store), [0.0]

    class CountingLists(CountingStore):
        lists = 0

        def list(self, folder: str, after: str = "") -> object:
            CountingLists.lists += 1
            return store.list(folder, after)

    publish_version(store, "index", write_folder(tmp_path / "index", a="1"), lease, 0)
    counting = CountingLists(store)
    cache = VersionCache(counting, "index", tmp_path / "here", 10, clock=lambda: now[0])  # type: ignore[arg-type]
    assert cache.poll()
    asked, reads = CountingLists.lists, counting.reads
    assert not cache.poll()
    assert CountingLists.lists == asked
    now[0] = 11
    assert not cache.poll()
    assert (CountingLists.lists, counting.reads) == (asked + 1, reads)
    publish_version(store, "index", write_folder(tmp_path / "index", a="2"), lease, 1)
    now[0] = 22
    assert cache.poll()
    assert read_folder(cache.path) == {"a": "2"}


def test_a_damaged_file_is_not_taken(store: ObjectStore, tmp_path: Path) -> None:
    version = publish_version(store, "index", write_folder(tmp_path / "index", a="1"), take_lease(store), 0)
    name = version.files[0].object
    store.delete([name])
    store.create(name, b"2")
    with pytest.raises(StoreFailed, match="is damaged"):
        VersionCache(store, "index", tmp_path / "here").fetch()


def test_large_files_are_published(store: ObjectStore, tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "index", small="1")
    content = os.urandom(20_000_000)
    (folder / "large").write_bytes(content)
    publish_version(store, "index", folder, take_lease(store), 0)
    cache = VersionCache(store, "index", tmp_path / "here")
    assert cache.fetch()
    assert cache.path is not None
    assert (cache.path / "large").read_bytes() == content


def test_a_deleted_cache_is_fetched_again(store: ObjectStore, tmp_path: Path) -> None:
    publish_version(store, "index", write_folder(tmp_path / "index", a="1"), take_lease(store), 0)
    assert VersionCache(store, "index", tmp_path / "here").fetch()
    shutil.rmtree(tmp_path / "here")
    cache = VersionCache(store, "index", tmp_path / "here")
    assert cache.fetch()
    assert read_folder(cache.path) == {"a": "1"}


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", ""])
def test_a_manifest_cannot_lead_out_of_its_folder(path: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_version(msgspec.json.encode(Version(1, (VersionFile(path, 1, ""),))))


def test_a_writer_changes_a_copy(store: ObjectStore, tmp_path: Path) -> None:
    lease = take_lease(store)
    work = tmp_path / "work"
    cache = VersionCache(store, "index", tmp_path / "here")
    assert not cache.fetch()
    assert cache.copy_to(work) == 0
    publish_version(store, "index", write_folder(work, a="1"), lease, 0)
    assert cache.fetch()
    assert cache.copy_to(work) == 1
    with (work / "a").open("a") as file:
        file.write("2")
    assert read_folder(cache.path) == {"a": "1"}
    assert publish_version(store, "index", work, lease, 1).number == 2
    assert cache.fetch()
    assert read_folder(cache.path) == {"a": "12"}


@pytest.mark.slow
def test_two_machines_answer_a_search_alike(store: ObjectStore, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with serve_lab(World(seed=3, hosts=4, pages=80)) as running:
        run(here, make_quick_task(running))
    with Web(here) as web:
        web.index()
        publish_version(store, "index", here / "index", take_lease(store), 0)
        shutil.copytree(here, there, ignore=shutil.ignore_patterns("index"))
        word = next(page.title.split()[0] for page in web.store.pages() if page.title)
        ours = [answer.url for answer in web.search(word).answers]
    cache = VersionCache(store, "index", tmp_path / "cache")
    assert cache.fetch()
    assert cache.path is not None
    (there / "index").symlink_to(cache.path)
    with Web(there) as web:
        theirs = [answer.url for answer in web.search(word).answers]
    assert ours == theirs
    assert ours
