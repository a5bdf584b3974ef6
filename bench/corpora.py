"""Digests of the corpora, to check that they are those that the floors were set with."""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from extraction import DATA, GROUND_TRUTH, HTML_DIR
from pages import compute_digest, read_documentation_pages


def _digest_files(paths: Iterable[Path]) -> str:
    state = hashlib.sha256()
    for path in sorted(paths):
        state.update(path.name.encode() + b"\n" + path.read_bytes())
    return state.hexdigest()[:16]


def _digest_extraction() -> str:
    return _digest_files([*HTML_DIR.glob("*"), *GROUND_TRUTH.parent.glob(GROUND_TRUTH.name)])


def _digest_search() -> str:
    return _digest_files((DATA.parent / "search").glob("*"))


def _digest_webkb() -> str:
    return _digest_files((DATA.parent / "webkb").glob("*"))


def _digest_news() -> str:
    return _digest_files((DATA.parent / "news").glob("*"))


DIGESTS: dict[str, Callable[[], str]] = {
    "documentation": lambda: compute_digest(read_documentation_pages()),
    "extraction": _digest_extraction,
    "news": _digest_news,
    "search": _digest_search,
    "webkb": _digest_webkb,
}


def list_changed(expected: dict[str, str]) -> list[str]:
    """List the corpora that differ from those that the floors were set with."""
    return [name for name, known in expected.items() if DIGESTS[name]() != known]


if __name__ == "__main__":
    for name, digest_now in DIGESTS.items():
        print(name, digest_now())
