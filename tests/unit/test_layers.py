"""Imports point down, and each heavy package is imported in one file."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src" / "gossamer"

# From the ground up. A room may import from rooms of lower storeys and from itself.
STOREYS = [
    {"errors", "records"},
    {"config"},
    {"net", "text", "graph"},
    {"frontier", "order"},
    {"fetch", "store"},
    {"navigate", "search", "crawl"},
    {"assess"},
    {"web"},
    {"ui"},
    {"cli"},
]
STOREY = {room: height for height, rooms in enumerate(STOREYS) for room in rooms}
# The lab stands beside the house: it may use these, and only what stands above the crawl may use it.
LAB_MAY_USE = {"net", "text", "records", "errors", "lab"}
MAY_USE_LAB = {"assess", "cli", "ui", "lab"}
# Within a storey, rooms that the design lets see each other.
NEIGHBOURS = {("errors", "records"), ("records", "errors"), ("graph", "net"), ("text", "net")}

HEAVY = {
    "ada_url",
    "adbc_driver_sqlite",
    "aiodns",
    "brotli",
    "fastwarc",
    "isal",
    "jinja2",
    "lxml",
    "matplotlib",
    "numpy",
    "pyarrow",
    "publicsuffixlist",
    "pycurl",
    "resiliparse",
    "selectolax",
    "tantivy",
    "trafilatura",
    "turbohtml",
    "uvicorn",
    "wordfreq",
}
# numpy is the common tongue of arrays and Arrow that of tables, not parts that could be exchanged.
SEVERAL_FILES = {"numpy", "pyarrow"}


# from … import (…) or from … import …; the module is empty in import …
CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+)?c?import\s+(?:\(([^)]*)\)|([^\n#(]+))", re.MULTILINE)


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Yield the full names that a module imports, compiled or not."""
    yield from (cython_imports if path.suffix == ".pyx" else python_imports)(path)


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    assert room in STOREY or room in {"lab", "__init__"}, f"{room} has no storey: give it one here"
    upward = sorted(other for other in rooms_imported(path) if not may_import(room, other))
    assert not upward, f"{path.relative_to(SOURCE)} imports upward from {', '.join(upward)}"


def test_an_upward_import_would_be_noticed() -> None:
    assert not may_import("net", "crawl")
    assert not may_import("records", "net")
    assert not may_import("net", "text")
    assert not may_import("crawl", "lab")
    assert may_import("crawl", "net")


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
