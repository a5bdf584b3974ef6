"""The packed extension: the same bytes each time, one source for both browsers, the least permissions, and nothing that npm brought."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from tests.conftest import REPOSITORY
from tools.pack_extension import SOURCE, make_firefox_manifest, pack_all, read_manifest

import gossamer


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, zipfile.ZipFile]:
    files = pack_all(tmp_path_factory.mktemp("packed"))
    return {path.stem.rpartition("-")[2]: zipfile.ZipFile(io.BytesIO(path.read_bytes())) for path in files}


def test_packing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = pack_all(tmp_path / "first"), pack_all(tmp_path / "second")
    assert [path.name for path in first] == [path.name for path in second]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_both_browsers_get_the_same_files(packed: dict[str, zipfile.ZipFile]) -> None:
    names = packed["chromium"].namelist()
    assert names == packed["firefox"].namelist()
    assert not [name for name in names if name.startswith(("package", "node_modules", "eslint"))]
    for name in names[1:]:
        assert packed["chromium"].read(name) == packed["firefox"].read(name)


def test_manifests_name_files_that_are_packed(packed: dict[str, zipfile.ZipFile]) -> None:
    for browser, archive in packed.items():
        text = archive.read("manifest.json").decode()
        named = re.findall(r'"((?:background|content|pages|icons)/[\w./]+)"', text)
        assert set(named) <= set(archive.namelist()), browser
        assert {name for name in archive.namelist() if name.startswith("content/")} == {
            name for name in named if name.startswith("content/")
        }


def test_permissions_are_the_least_and_each_is_explained() -> None:
    chromium, firefox = read_manifest(), make_firefox_manifest()
    assert (chromium["permissions"], firefox["permissions"]) == (["storage", "sidePanel"], ["storage"])
    assert chromium["host_permissions"] == ["http://127.0.0.1/*", "http://localhost/*"]
    assert not {"externally_connectable", "web_accessible_resources", "optional_permissions"} & {
        *chromium,
        *firefox,
    }
    page = (REPOSITORY / "docs" / "reading.md").read_text("utf-8")
    for name in [*chromium["permissions"], *chromium["host_permissions"]]:
        assert f"`{name}`" in page


def test_the_version_is_that_of_the_program() -> None:
    numbers = re.match(r"\d+\.\d+\.\d+", gossamer.__version__)
    assert numbers is not None
    assert read_manifest()["version"] == numbers[0]


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((SOURCE / "package-lock.json").read_text("utf-8"))
    assert [name for name, one in lock["packages"].items() if "resolved" in one] == []
    assert [name for name, one in lock["packages"].items() if name and "integrity" not in one] == []


def test_no_script_puts_markup_into_a_page() -> None:
    for path in SOURCE.glob("*/*.js"):
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|\beval\(", path.read_text("utf-8")), (
            path
        )
