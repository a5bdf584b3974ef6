"""The packages that constraints.txt pins, and which of them the program needs."""

import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPOSITORY = Path(__file__).resolve().parents[1]
CONSTRAINTS = REPOSITORY / "constraints.txt"
_PIN = re.compile(
    r"^([A-Za-z0-9][\w.-]*)==([^\s;\\]+)(?: ; ([^\\\n]+?))?((?: \\\n +--hash=sha256:[0-9a-f]{64})*) *$",
    re.MULTILINE,
)


class Pin(NamedTuple):
    """One package in one version."""

    version: str
    hashes: tuple[str, ...]
    """Of every file of this version, for all platforms; sha256."""
    marker: str = ""
    """Where it applies; "" for everywhere."""


def read_pins(path: Path = CONSTRAINTS) -> dict[str, Pin]:
    """Return the pins of a file by the canonical name of the package; raise ValueError if a line is no pin."""
    text = path.read_text("utf-8")
    pins: dict[str, Pin] = {
        canonicalize_name(name): Pin(version, tuple(re.findall(r"sha256:(\w+)", hashes)), marker)
        for name, version, marker, hashes in _PIN.findall(text)
    }
    rest = [line for line in _PIN.sub("", text).splitlines() if line.strip() and not line.startswith("#")]
    if rest:
        raise ValueError(f"{path.name} has a line that pins nothing: {rest[0]}")
    return pins


def find_needed(requirements: Iterable[str]) -> dict[str, set[str]]:
    """Return what requirements need, as installed here: the canonical names of packages, and what each of them needs.

    Packages that are not installed are in the result, with nothing that they need.
    """
    needed: dict[str, set[str]] = {}
    waiting = [(Requirement(one), frozenset[str]()) for one in requirements]
    done: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        one, given = waiting.pop()
        if not _applies(one, given):
            continue
        name, extras = canonicalize_name(one.name), frozenset(one.extras)
        if (name, extras) in done:
            continue
        done.add((name, extras))
        own = needed.setdefault(name, set())
        for text in _list_requirements(name):
            inner = Requirement(text)
            if _applies(inner, extras):
                own.add(canonicalize_name(inner.name))
                waiting.append((inner, extras))
    return needed


def _list_requirements(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        return []


def _applies(one: Requirement, extras: frozenset[str]) -> bool:
    return one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in (extras or {""}))
