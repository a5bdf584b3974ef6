"""Every package that is installed is pinned, with hashes, and nothing is installed in another way."""

import re
import tomllib
from importlib.metadata import distributions, version
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tools.list_requirements import list_requirements
from tools.pinned_packages import CONSTRAINTS, find_needed, read_pins

REPOSITORY = Path(__file__).parents[2]
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
SETS = {
    "the program": PROJECT["project"]["dependencies"],
    "build-system": PROJECT["build-system"]["requires"],
    **EXTRAS,
    **PROJECT["dependency-groups"],
}
PIN_FILES = {
    CONSTRAINTS: chain.from_iterable(SETS.values()),
    REPOSITORY / "bench" / "peers" / "requirements.txt": [],
    REPOSITORY / "tests" / "formats" / "requirements.txt": [],
    REPOSITORY / "tools" / "language" / "requirements.txt": [],
    REPOSITORY / "tools" / "proxy" / "requirements.txt": [],
}
INSTALLED = {canonicalize_name(one.name) for one in distributions()}


@pytest.mark.parametrize("path", PIN_FILES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_every_pin_has_hashes(path: Path) -> None:
    pins = read_pins(path)
    assert len(pins) > 10
    assert [name for name, pin in pins.items() if not pin.hashes] == []


@pytest.mark.parametrize(
    "path", list(PIN_FILES)[1:], ids=lambda path: path.relative_to(REPOSITORY).as_posix()
)
def test_pins_meet_what_their_source_file_asks_for(path: Path) -> None:
    pins = read_pins(path)
    asked = [
        line for line in path.with_suffix(".in").read_text("utf-8").splitlines() if line and line[0] != "#"
    ]
    assert asked
    for line in asked:
        one = Requirement(line)
        assert one.specifier.contains(pins[canonicalize_name(one.name)].version), line


@pytest.mark.parametrize("name", SETS)
def test_every_requirement_is_pinned_within_its_limits(name: str) -> None:
    pins = read_pins()
    for one in map(Requirement, SETS[name]):
        pin = pins[canonicalize_name(one.name)]
        assert one.specifier.contains(pin.version, prereleases=True), f"{one} is pinned to {pin.version}"


@pytest.mark.parametrize("name", SETS)
def test_what_requirements_need_in_turn_is_pinned_in_the_installed_version(name: str) -> None:
    pins = read_pins()
    needed = find_needed(SETS[name])
    assert sorted(set(needed) - set(pins)) == []
    found = {one: version(one) for one in needed if one in INSTALLED}
    assert {one: pins[one].version for one in found} == found


def test_a_line_that_pins_nothing_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "pins.txt"
    path.write_text(
        "# why\na==1 ; python_version < '3' \\\n    --hash=sha256:" + "0" * 64 + "\nb>=2\n", "utf-8"
    )
    with pytest.raises(ValueError, match="b>=2"):
        read_pins(path)


def test_the_requirements_of_extras_are_listed_once() -> None:
    listed = list_requirements(["search", "serve"])
    assert len(listed) == len(set(listed))
    assert set(listed) == {*PROJECT["project"]["dependencies"], *EXTRAS["search"], *EXTRAS["serve"]}
    with pytest.raises(SystemExit, match="no extra 'serch'"):
        list_requirements(["serch"])


def test_make_installs_nothing_without_checking_its_hash() -> None:
    """The program itself is a folder: pip cannot check it, and takes nothing else with --no-deps."""
    text = (REPOSITORY / "Makefile").read_text("utf-8").replace("\\\n", " ")
    lines = [
        line
        for line in text.splitlines()
        if re.search(r"pip\b.*\binstall\b|\binstall --", line) and line[0] != "#"
    ]
    assert lines
    for line in lines:
        assert "--require-hashes" in line or "--no-deps" in line, line
    used = [
        line
        for line in text.splitlines()
        if re.search(r"OWN_PIP\)|\$\(PIP\)", line) and not line.startswith("#")
    ]
    assert [line for line in used if not re.search(r"\$\(HASHED\)|--no-deps", line)] == []
