"""Files are written whole and below the folder, whatever was planted there."""

from pathlib import Path

import pytest

from gossamer.errors import BadInput
from gossamer.mirror.mirror_folder import MirrorFolder
from gossamer.mirror.mirror_state import HIDDEN


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "mirror" / HIDDEN).mkdir(parents=True)
    return tmp_path / "mirror"


def test_files_are_written_replaced_and_removed_with_their_empty_folders(root: Path) -> None:
    with MirrorFolder(root) as folder:
        folder.write("host/a/b/page.html", b"one")
        folder.write("host/a/b/page.html", b"two")
        folder.write("host/a/other.html", b"three")
        assert (root / "host/a/b/page.html").read_bytes() == b"two"
        assert folder.has_file("host/a/b/page.html", 3)
        assert not folder.has_file("host/a/b/page.html", 4)
        assert folder.remove("host/a/b/page.html")
        assert not folder.remove("host/a/other-one.html")
    assert not (root / "host/a/b").exists()
    assert (root / "host/a/other.html").exists()
    assert list((root / HIDDEN).iterdir()) == []


@pytest.mark.parametrize("planted", ["host", "host/a"])
def test_nothing_is_written_through_a_planted_link(root: Path, tmp_path: Path, planted: str) -> None:
    outside = tmp_path / "outside"
    (outside / "a").mkdir(parents=True)
    (root / planted).parent.mkdir(exist_ok=True)
    (root / planted).symlink_to(outside)
    with MirrorFolder(root) as folder, pytest.raises(BadInput, match="remove it"):
        folder.write("host/a/page.html", b"content")
    with MirrorFolder(root) as folder, pytest.raises(BadInput):
        folder.remove("host/a/page.html")
    assert [path for path in outside.rglob("*") if path.is_file()] == []


def test_a_planted_link_in_place_of_a_file_is_replaced_and_not_followed(root: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (root / "host").mkdir()
    (root / "host/page.html").symlink_to(victim)
    with MirrorFolder(root) as folder:
        assert not folder.has_file("host/page.html", 8)
        folder.write("host/page.html", b"content")
    assert victim.read_bytes() == b"precious"
    assert (root / "host/page.html").read_bytes() == b"content"


def test_a_folder_in_the_way_is_named(root: Path) -> None:
    (root / "host/page.html").mkdir(parents=True)
    with MirrorFolder(root) as folder, pytest.raises(BadInput, match=r"page\.html"):
        folder.write("host/page.html", b"content")


def test_many_folders_need_few_descriptors(root: Path) -> None:
    with MirrorFolder(root) as folder:
        for number in range(500):
            folder.write(f"host/{number % 250}/{number}/page.html", b"%d" % number)
        assert len(folder._open) < 100
    assert (root / "host/249/499/page.html").read_bytes() == b"499"
