"""The contract of every object store."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.object_server import find_free_ports

from gossamer.errors import BadInput, MissingExtra, StoreFailed
from gossamer.store.shared_archive.location import create_archive, open_archive, parse_location
from gossamer.store.shared_archive.object_store import ObjectStore


def test_objects_are_created_once(store: ObjectStore) -> None:
    assert store.create("a/one", b"first")
    assert not store.create("a/one", b"second")
    assert store.read("a/one") == b"first"


def test_parts_of_an_object_are_read(store: ObjectStore) -> None:
    store.create("a/one", b"0123456789")
    assert store.read("a/one", 2, 3) == b"234"
    assert store.read("a/one", 8, 100) == b"89"
    assert store.read("a/one", 8) == b"89"
    assert store.read("a/one", 10, 5) == b""
    assert store.read("a/none") is None
    assert store.read("a/none", 2, 3) is None


def test_large_objects_are_uploaded_in_pieces(store: ObjectStore) -> None:
    pieces = [bytes([number]) * 3_000_001 for number in range(12)]
    store.upload("packs/large", iter(pieces))
    found = store.find("packs/large")
    assert found is not None
    assert found.size == 36_000_012
    assert store.read("packs/large", 3_000_000, 2) == b"\0\1"
    assert store.read("packs/large") == b"".join(pieces)


def test_an_upload_that_breaks_off_leaves_nothing(store: ObjectStore) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"x" * 20_000_000
        raise StoreFailed("the segment is damaged")

    with pytest.raises(StoreFailed, match="the segment is damaged"):
        store.upload("packs/broken", pieces())
    assert store.find("packs/broken") is None
    assert list(store.list("packs")) == []


def test_listings_are_sorted_and_continue(store: ObjectStore) -> None:
    for name in ("a/3", "a/1", "a/2/x", "b/1"):
        store.create(name, b"12")
    assert [found.name for found in store.list("a")] == ["a/1", "a/2/x", "a/3"]
    assert [found.name for found in store.list("a", "a/1")] == ["a/2/x", "a/3"]
    assert list(store.list("none")) == []
    assert {found.size for found in store.list("a")} == {2}


@pytest.mark.parametrize("name", ["a/.managed.json", "a/ü ä.bin", "a/100%.txt", "a/x+y=z&q?#.bin", "a/日本"])
def test_names_of_files_are_kept(store: ObjectStore, name: str) -> None:
    assert store.create(name, b"x")
    assert not store.create(name, b"y")
    assert store.read(name) == b"x"
    assert [found.name for found in store.list("a")] == [name]
    store.upload(f"{name}.large", [b"z"])
    assert store.read(f"{name}.large") == b"z"
    store.delete([name, f"{name}.large"])
    assert list(store.list("a")) == []


def test_deleting_ignores_what_is_not_there(store: ObjectStore) -> None:
    store.create("a/1", b"")
    store.delete(["a/1", "a/2"])
    assert store.find("a/1") is None
    store.delete([])


def test_an_archive_is_found_again(address: str) -> None:
    create_archive(address).create("a/1", b"x")
    assert open_archive(address).read("a/1") == b"x"
    assert create_archive(address).read("a/1") == b"x"


def test_a_missing_archive_is_an_error(address: str) -> None:
    with pytest.raises(BadInput, match="there is no archive"):
        open_archive(address)


def test_an_archive_of_another_format_is_an_error(tmp_path: Path) -> None:
    create_archive(str(tmp_path / "shared"))
    (tmp_path / "shared" / "archive.json").write_text('{"format": 99}', "utf-8")
    with pytest.raises(BadInput, match="has format 99"):
        open_archive(str(tmp_path / "shared"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        ("relative/folder", "not an absolute path"),
        ("ftp://host/x", "ftp://… is unknown: use s3://"),
        ("s3://", "names no valid bucket"),
        ("s3://UPPER/x", "names no valid bucket"),
        ("az://", "names no valid container"),
        ("s3://bucket/x?y=1", "nothing after"),
        ("s3://key:secret@bucket/x", "must not hold a password"),
        ("s3://bucket/../x", "must not hold . or .."),
        ("s3://[bucket/x", "is not an address"),
    ],
)
def test_bad_addresses_get_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence) as caught:
        parse_location(text)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("/mnt/shared/web/", "/mnt/shared/web"),
        ("file:///mnt/shared%20web", "/mnt/shared web"),
        ("s3://bucket", "s3://bucket"),
        ("gs://bucket/a//b/", "gs://bucket/a/b"),
        ("az://container/a", "az://container/a"),
    ],
)
def test_addresses_are_normalized(text: str, clean: str) -> None:
    assert str(parse_location(text)) == clean


@pytest.mark.slow
def test_a_missing_bucket_gets_one_sentence(object_server: object) -> None:
    with pytest.raises(BadInput, match="there is no bucket for the archive at s3://no-such-bucket/x"):
        create_archive("s3://no-such-bucket/x")
    with pytest.raises(BadInput, match="there is no bucket"):
        open_archive("s3://no-such-bucket/x")


@pytest.mark.slow
def test_refused_credentials_are_not_shown(object_server: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another-secret")
    with pytest.raises(BadInput, match="refuses these credentials") as caught:
        create_archive("s3://web-bytes/x")
    assert "another-secret" not in str(caught.value)
    assert "test-key" not in str(caught.value)


@pytest.mark.slow
def test_missing_credentials_get_one_sentence(
    object_server: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")  # no machine of a cloud
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(StoreFailed, match="there are no credentials for the archive at s3://web-bytes/x"):
        create_archive("s3://web-bytes/x")


def test_a_server_that_is_away_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore")
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{find_free_ports(1)[0]}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StoreFailed, match="the archive at s3://web-bytes/x cannot be reached") as caught:
        create_archive("s3://web-bytes/x")
    assert caught.value.full


def test_incomplete_settings_get_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("obstore")
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(BadInput, match="the settings for it in the environment are incomplete"):
        open_archive("az://container/x")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.delitem(sys.modules, "gossamer.store.shared_archive.cloud_store", raising=False)
    with pytest.raises(MissingExtra, match=r"gossamer\[cluster\]"):
        open_archive("s3://web-bytes/x")


def test_a_folder_that_cannot_be_made_gets_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(BadInput, match="is a file"):
        create_archive(str(tmp_path / "file"))
    with pytest.raises(BadInput, match="cannot be made"):
        create_archive(str(tmp_path / "none" / "folder"))


def test_a_disk_that_is_not_mounted_is_not_written_to(tmp_path: Path) -> None:
    store = create_archive(str(tmp_path / "shared"))
    (tmp_path / "shared").rename(tmp_path / "elsewhere")
    (tmp_path / "shared").mkdir()
    for attempt in (
        lambda: store.create("a", b""),
        lambda: store.read("a"),
        lambda: list(store.list("a")),
        lambda: store.delete(["a"]),
    ):
        with pytest.raises(StoreFailed, match="not mounted") as caught:
            attempt()
        assert caught.value.full
    assert list((tmp_path / "shared").iterdir()) == []


def test_what_a_killed_writer_left_is_removed_after_a_day(tmp_path: Path) -> None:
    create_archive(str(tmp_path / "shared")).create("a", b"")
    old, new = (tmp_path / "shared" / ".parts" / name for name in ("old", "new"))
    for part in (old, new):
        part.write_bytes(b"half")
    os.utime(old, (0, 0))
    open_archive(str(tmp_path / "shared"))
    assert not old.exists()
    assert new.exists()
