"""Imports point down, and each heavy package is imported in one file."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tools.layers import (
    HEAVY,
    INNER_STOREYS,
    LAB_MAY_USE,
    LATE_FRONTS,
    MAY_USE_LAB,
    NEIGHBOURS,
    SEVERAL_FILES,
    STOREY,
)
from tools.room_fronts import FRONTS

SOURCE = Path(__file__).resolve().parents[2] / "src" / "gossamer"

# from … import (…) or from … import …; the module is empty in import …
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+)?c?import\s+(?:\(([^)]*)\)|([^\n#(]+))", re.MULTILINE)


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return the full names that a module imports, compiled or not."""
    return tuple((cython_imports if path.suffix == ".pyx" else python_imports)(path))


def cython_imports(path: Path) -> Iterator[str]:
    """Yield what a .pyx file imports, and cimports: one statement a line, names perhaps over several in brackets."""
    for module, several, one in CYTHON_IMPORT.findall(path.read_text("utf-8")):
        assert not module.startswith("."), f"{path}: write imports in full"
        names = [name.split()[0] for name in (several or one).split(",") if name.strip()]
        yield from [module, *(f"{module}.{name}" for name in names)] if module else names


def python_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_imported(path: Path) -> set[str]:
    parts = [name.split(".") for name in imports(path)]
    known = set(STOREY) | {"lab"}
    return {part[1] for part in parts if part[0] == "gossamer" and len(part) > 1 and part[1] in known}


def may_import(importer: str, imported: str) -> bool:
    if importer in (imported, "__init__") or (importer, imported) in NEIGHBOURS:
        return True
    if importer == "lab":
        return imported in LAB_MAY_USE
    if imported == "lab":
        return importer in MAY_USE_LAB
    return STOREY[imported] < STOREY[importer]


FILES = sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyx")])
# One test for each room: a test for each file and rule took a tenth of all fast tests, to start rather than to run.
ROOMS = sorted({room_of(path) for path in FILES})


def files_of(room: str) -> list[Path]:
    return [path for path in FILES if room_of(path) == room]


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_down(room: str) -> None:
    assert room in STOREY or room in {"lab", "__init__"}, f"{room} has no storey: give it one here"
    upward = {
        str(path.relative_to(SOURCE)): others
        for path in files_of(room)
        if (others := sorted(other for other in rooms_imported(path) if not may_import(room, other)))
    }
    assert not upward, "these modules import upward"


def module_of(path: Path) -> str:
    parts = ["gossamer", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path) for path in FILES}


@cache
def modules_imported(path: Path) -> frozenset[str]:
    """Return the modules that a module imports: the deepest that each imported name belongs to."""
    found = set()
    for name in imports(path):
        while name and name not in MODULES:
            name = name.rpartition(".")[0]
        found.add(name)
    packages = {other for other in found if any(each.startswith(other + ".") for each in found)}
    named = {line for line in imports(path) if line in packages and "." in line}
    # `from a.b import c` names the package a.b too; it counts only where something of its own is taken from it.
    own = {name.rpartition(".")[0] for name in imports(path) if name not in MODULES}
    return frozenset(other for other in found if other not in named or other in own) - {"", "gossamer"}


def place_of(module: str) -> tuple[int, str] | None:
    """Return the storey of a module inside its room, and the sub-package or module that stands there."""
    _, room, *rest = module.split(".")
    if room not in INNER_STOREYS or not rest:
        return None
    for height, members in enumerate(INNER_STOREYS[room]):
        if rest[0] in members:
            return height, rest[0]
    raise AssertionError(f"{module} has no storey in {room}: give it one in INNER_STOREYS")


def may_import_inside(room: str, importer: tuple[int, str], imported: tuple[int, str]) -> bool:
    if importer[0] == imported[0]:
        both_modules = not any((SOURCE / room / name).is_dir() for name in (importer[1], imported[1]))
        return importer[1] == imported[1] or both_modules
    return imported[0] < importer[0]


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_down_inside_a_room(room: str) -> None:
    upward = [
        f"{module_of(path)} imports upward from {other}"
        for path in files_of(room)
        for other in find_upward_inside(path)
    ]
    assert upward == []


def find_upward_inside(path: Path) -> Iterator[str]:
    module = module_of(path)
    place = place_of(module) if "." in module else None
    if place is None or module in LATE_FRONTS:
        return
    room = module.split(".")[1]
    for other in modules_imported(path):
        below = place_of(other) if other.split(".")[1] == room else None
        if below is not None and not may_import_inside(room, place, below):
            yield other


@pytest.mark.parametrize("room", ROOMS)
def test_other_rooms_are_entered_by_their_front(room: str) -> None:
    assert [
        f"{path.name} imports a back room: {other}"
        for path in files_of(room)
        for other in find_back_rooms(path)
    ] == []


def find_back_rooms(path: Path) -> Iterator[str]:
    for other in modules_imported(path):
        _, room, *rest = other.split(".")
        if room != room_of(path) and room in FRONTS and ".".join(rest) not in FRONTS[room]:
            yield other


def test_every_front_is_used() -> None:
    used: dict[str, set[str]] = defaultdict(set)
    for path in FILES:
        for other in modules_imported(path):
            _, room, *rest = other.split(".")
            if room != room_of(path):
                used[room].add(".".join(rest))
    idle = {room: fronts - used[room] for room, fronts in FRONTS.items() if fronts - used[room]}
    assert not idle, "modules that no other room imports are no fronts"


def test_an_upward_import_would_be_noticed() -> None:
    assert not may_import("net", "crawl")
    assert not may_import("records", "net")
    assert not may_import("net", "text")
    assert not may_import("crawl", "lab")
    assert may_import("crawl", "net")
    assert not may_import_inside("crawl", (1, "task"), (2, "visit"))
    assert not may_import_inside("graph", (1, "files"), (1, "groups"))
    assert may_import_inside("crawl", (2, "visit"), (1, "task"))


def test_files_that_break_a_rule_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    here = SOURCE / "crawl" / "task" / "task.py"
    above, back, below = "gossamer.crawl.visit.visit", "gossamer.net.html.node_rules", "gossamer.crawl.events"
    monkeypatch.setitem(globals(), "modules_imported", lambda _: {above, back, below})
    assert list(find_upward_inside(here)) == [above]
    assert list(find_back_rooms(here)) == [back]
    monkeypatch.setitem(globals(), "imports", lambda _: ("gossamer.cli.main",))
    assert rooms_imported(here) == {"cli"}


def test_imports_of_compiled_modules_are_noticed(tmp_path: Path) -> None:
    module = tmp_path / "compiled.pyx"
    module.write_text(
        "import gossamer.net.url, numpy as np\n"
        "from gossamer.net cimport references\n"
        "from gossamer.crawl.rules import (\n    FOLLOW,\n    Rules as R,\n)\n"
        "def late():\n    from gossamer import store\n"
        "important = 1\n",
        "utf-8",
    )
    assert set(imports(module)) == {
        "gossamer.net.url",
        "numpy",
        "gossamer.net",
        "gossamer.net.references",
        "gossamer.crawl.rules",
        "gossamer.crawl.rules.FOLLOW",
        "gossamer.crawl.rules.Rules",
        "gossamer",
        "gossamer.store",
    }
    assert rooms_imported(module) == {"net", "crawl", "store"}


def test_each_heavy_package_is_imported_in_one_file() -> None:
    users: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        for package in {name.split(".")[0] for name in imports(path)} & HEAVY:
            # One file in the house and one in the lab, which must stand without the house.
            users[f"{package} in {'lab' if room_of(path) == 'lab' else 'the house'}"].append(path.name)
    shared = {who: files for who, files in users.items() if len(files) > 1}
    shared = {who: files for who, files in shared.items() if who.split()[0] not in SEVERAL_FILES}
    assert not shared
