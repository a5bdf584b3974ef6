"""Keep the places of nodes in the folder of a web, so that a picture looks the same tomorrow."""

import hashlib
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.atomic_file import write_atomically
from gossamer.graph.layout.force_layout import Places
from gossamer.graph.number_ids import Numbering

FOLDER = "workbench"
"""In the folder of a web; all of it is derived and can be deleted."""


def save_places(folder: Path, view: str, keys: NDArray[np.int64], places: Places) -> None:
    """Keep the places of a view's nodes; a folder that cannot be written keeps none."""
    with suppress(OSError):
        (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
        with write_atomically(_find_file(folder, view)) as path, path.open("wb") as file:
            np.savez(file, keys=keys, places=places.astype(np.float32))


def load_places(folder: Path, view: str, keys: NDArray[np.int64]) -> tuple[Places, NDArray[np.bool_]]:
    """Return the kept places of these nodes, and for which of them there is one; a damaged file keeps none."""
    with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        with _find_file(folder, view).open("rb") as file, np.load(file, allow_pickle=False) as kept:
            kept_keys, kept_places = kept["keys"], kept["places"]
        if (
            kept_keys.dtype == np.int64
            and kept_places.shape == (len(kept_keys), 2)
            and np.isfinite(kept_places).all()
        ):
            return match_places(kept_keys, kept_places.astype(np.float64), keys)
    return np.zeros((len(keys), 2)), np.zeros(len(keys), np.bool_)


def match_places(
    kept_keys: NDArray[np.int64], kept_places: Places, keys: NDArray[np.int64]
) -> tuple[Places, NDArray[np.bool_]]:
    """Return the places of the nodes with these keys, and for which of them there is one."""
    known = Numbering(len(kept_keys))
    rows = known.add(np.ascontiguousarray(kept_keys))
    at = known.find(np.ascontiguousarray(keys))
    first = np.zeros(max(len(known), 1), np.int64)
    first[rows] = np.arange(len(kept_keys))
    found = at >= 0
    places = np.zeros((len(keys), 2))
    places[found] = kept_places[first[at[found]]]
    return places, found


def _find_file(folder: Path, view: str) -> Path:
    name = hashlib.blake2b(view.encode(), digest_size=8).hexdigest()
    return folder / FOLDER / f"places-{name}.npz"
