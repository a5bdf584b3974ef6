"""The URLs of a host as a tree of folders, with counts of their states and sizes."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from gossamer.store.links.url_states import STATES, HostFact, UrlFact

Sorting = Literal["name", "pages", "bytes", "failures"]
SORTINGS: tuple[Sorting, ...] = ("name", "pages", "bytes", "failures")
STATE_WORDS = {
    "kept": "kept",
    "waiting": "waiting",
    "redirected": "redirected",
    "failed": "failed",
    "refused": "refused",
    "known": "known only",
}
"""The states of URLs, as people read them."""
_KEPT, _FAILED, _REFUSED = STATES.index("kept"), STATES.index("failed"), STATES.index("refused")


class Folder(msgspec.Struct, gc=False):
    """A folder: what is in it and below it, in counts, and what is directly in it."""

    name: str
    path: str
    """From the root of the host, with slashes at both ends."""
    counts: list[int] = msgspec.field(default_factory=lambda: [0] * len(STATES))
    """URLs by state, in the order of `STATES`."""
    body_bytes: int = 0
    folders: dict[str, "Folder"] = {}
    leaves: list[tuple[str, UrlFact]] = []
    """URLs directly in the folder, with their names in it."""

    @property
    def urls(self) -> int:
        """The number of URLs in it and below it."""
        return sum(self.counts)

    @property
    def kept(self) -> int:
        return self.counts[_KEPT]

    @property
    def failures(self) -> int:
        return self.counts[_FAILED] + self.counts[_REFUSED]


class FolderRow(msgspec.Struct, frozen=True):
    """A line in the list of a folder: a folder in it, or a URL."""

    name: str
    folder: Folder | None
    fact: UrlFact | None


def build_tree(facts: Iterable[UrlFact]) -> Folder:
    """Return the root of the tree of one host. Cost: O(characters of all URLs)."""
    root = Folder("/", "/", folders={}, leaves=[])
    at = {name: place for place, name in enumerate(STATES)}
    for fact in facts:
        parts = _split_path(fact.url)
        here = root
        _count(here, fact, at[fact.state])
        for name in parts[:-1]:
            below = here.folders.get(name)
            if below is None:
                below = here.folders[name] = Folder(name, f"{here.path}{name}/", folders={}, leaves=[])
            here = below
            _count(here, fact, at[fact.state])
        here.leaves.append((parts[-1], fact))
    return root


def find_folder(root: Folder, path: str) -> Folder | None:
    """Return the folder at a path; None if there is none."""
    here = root
    names = path.removeprefix("/").removesuffix("/")
    for name in names.split("/") if names else ():
        found = here.folders.get(name)
        if found is None:
            return None
        here = found
    return here


def list_rows(folder: Folder, sorting: Sorting) -> list[FolderRow]:
    """Return what is directly in a folder: folders before URLs by name, otherwise the largest first."""
    rows = [FolderRow(one.name, one, None) for one in folder.folders.values()]
    rows += [FolderRow(name, None, fact) for name, fact in folder.leaves]
    if sorting == "name":
        return sorted(rows, key=lambda row: (row.folder is None, row.name))
    return sorted(rows, key=lambda row: (-_measure(row, sorting), row.folder is None, row.name))


def describe_states(folder: Folder) -> str:
    """Return the states of what is in a folder and below it, in words."""
    counts = zip(STATES, folder.counts, strict=True)
    return ", ".join(f"{number:,} {STATE_WORDS[state]}" for state, number in counts if number)


def find_host(hosts: Iterable[HostFact], typed: str) -> str | None:
    """Return the host that was typed, also as a URL; None if the web has no such host."""
    name = _read_name(typed)
    return name if name and any(one.host == name for one in hosts) else None


def list_hosts(hosts: Sequence[HostFact], typed: str, sorting: Sorting) -> list[HostFact]:
    """Return the hosts whose names contain what was typed: by name, or the largest first."""
    wanted = _read_name(typed)
    found = [one for one in hosts if wanted in one.host]
    if sorting != "name":
        found.sort(key=lambda one: (-(one.body_bytes if sorting == "bytes" else one.pages), one.host))
    return found


def _read_name(typed: str) -> str:
    return typed.lower().removeprefix("http://").removeprefix("https://").partition("/")[0]


def _measure(row: FolderRow, sorting: Sorting) -> int:
    if row.folder is not None:
        folder = row.folder
        return {"pages": folder.kept, "bytes": folder.body_bytes, "failures": folder.failures}[sorting]
    fact = row.fact
    if fact is None:
        return 0
    failed = fact.state in ("failed", "refused")
    return {"pages": int(fact.state == "kept"), "bytes": fact.body_bytes, "failures": int(failed)}[sorting]


def _count(folder: Folder, fact: UrlFact, state: int) -> None:
    folder.counts[state] += 1
    folder.body_bytes += fact.body_bytes


def _split_path(url: str) -> list[str]:
    """Return the names of the folders of a URL, and the name of the page in the last of them; "" for the folder itself."""
    begin = url.find("/", url.find("://") + 3)
    path = url[begin + 1 :] if begin >= 0 else ""
    name, mark, query = path.partition("?")
    parts = name.split("/")
    return [*parts[:-1], f"{parts[-1]}{mark}{query}"]
