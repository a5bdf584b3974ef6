"""Give every URL a path of its own: two URLs never share a file, also where upper and lower case are the same."""

from collections.abc import Callable

from gossamer.mirror.file_names import PlannedName, add_digest, fold_name

_RESERVED = "the mirror itself"


class NameRegistry:
    """Hands out paths, and remembers what each file and folder stands for.

    A name that is taken by something else gets a digest of its meaning. Cost: O(parts of the path).
    """

    def __init__(self, is_foreign: Callable[[str], bool] = lambda _: False) -> None:
        self._meanings = {fold_name(name): _RESERVED for name in ("index.html", ".gossamer")}
        """What each path stands for, by its folded form."""
        self._folders: dict[str, str] = {}
        """The path of each folder, by its meaning."""
        self._is_foreign = is_foreign
        """Says whether a path is taken by a file that no mirror has written."""

    def restore(self, planned: PlannedName, path: str) -> None:
        """Reserve a path that was handed out in an earlier run."""
        at = ""
        for name, meaning in zip(path.split("/"), planned.meanings, strict=False):
            at = f"{at}/{name}" if at else name
            self._meanings.setdefault(fold_name(at), meaning)
            if at != path:
                self._folders.setdefault(meaning, at)

    def claim(self, planned: PlannedName) -> str:
        """Return the path of a planned name, with other names where those are taken."""
        folder = ""
        for name, meaning in zip(planned.parts[:-1], planned.meanings[:-1], strict=True):
            known = self._folders.get(meaning)
            if known is None:
                known = self._folders[meaning] = self._claim(folder, name, meaning, is_file=False)
            folder = known
        return self._claim(folder, planned.parts[-1], planned.meanings[-1], is_file=True)

    def _claim(self, folder: str, name: str, meaning: str, is_file: bool) -> str:
        wanted, tries = name, 0
        while True:
            path = f"{folder}/{wanted}" if folder else wanted
            key = fold_name(path)
            if key not in self._meanings and is_file and self._is_foreign(path):
                self._meanings[key] = ""
            if self._meanings.setdefault(key, meaning) == meaning:
                return path
            wanted = add_digest(name, f"{meaning} {tries}")
            tries += 1
