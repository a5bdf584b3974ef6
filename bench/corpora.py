"""The corpora that floors were set with, known by their digests."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from extraction import DATA, GROUND_TRUTH, HTML_DIR
from pages import digest, documentation_pages


def _of_files(paths: Iterable[Path]) -> str:
    state = hashlib.sha256()
    for path in sorted(paths):
        state.update(path.name.encode() + b"\n" + path.read_bytes())
    return state.hexdigest()[:16]


def _extraction() -> str:
    return _of_files([*HTML_DIR.glob("*"), *GROUND_TRUTH.parent.glob(GROUND_TRUTH.name)])


def _search() -> str:
    return _of_files((DATA.parent / "search").glob("*"))


def _webkb() -> str:
    return _of_files((DATA.parent / "webkb").glob("*"))


DIGESTS: dict[str, Callable[[], str]] = {
    "documentation": lambda: digest(documentation_pages()),
    "extraction": _extraction,
    "search": _search,
    "webkb": _webkb,
}


def changed(expected: dict[str, str]) -> list[str]:
    """Name the corpora that are not what the floors were set with."""
    return [name for name, known in expected.items() if DIGESTS[name]() != known]


if __name__ == "__main__":
    for name, digest_now in DIGESTS.items():
        print(name, digest_now())
