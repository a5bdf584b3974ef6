"""Number themes so that a theme keeps its number when the themes of a grown collection are found anew."""

import numpy as np
from numpy.typing import NDArray

from gossamer.context.themes.theme_file import ThemeState

_LEAST_SHARE = 0.3
"""A theme continues an earlier one if at least this share of the pages of both is common."""


def number_themes(pages: NDArray[np.void], count: int, before: ThemeState | None) -> NDArray[np.int64]:
    """Return a number for each theme: that of the earlier theme which it continues, or a new one; the largest first."""
    sizes = np.bincount(pages["theme"][pages["theme"] >= 0], minlength=count)
    numbers = np.zeros(count, np.int64)
    if before is not None:
        for new, old in _pair_themes(pages, count, before):
            numbers[new] = before.numbers[old]
    following = 1 + (int(before.numbers.max(initial=0)) if before is not None else 0)
    for at in np.argsort(-sizes, kind="stable").tolist():
        if not numbers[at]:
            numbers[at] = following
            following += 1
    return numbers


def _pair_themes(pages: NDArray[np.void], count: int, before: ThemeState) -> list[tuple[int, int]]:
    """Pair new themes with earlier ones, those with the largest common part first."""
    _, at, old_at = np.intersect1d(pages["id"], before.pages["id"], assume_unique=True, return_indices=True)
    new, old = pages["theme"][at].astype(np.int64), before.pages["theme"][old_at].astype(np.int64)
    both = (new >= 0) & (old >= 0)
    earlier = len(before.numbers)
    common = np.bincount(new[both] * earlier + old[both], minlength=count * earlier).reshape(count, earlier)
    united = common.sum(axis=1)[:, None] + common.sum(axis=0)[None, :] - common
    shares = common / np.maximum(1, united)
    found: list[tuple[int, int]] = []
    while shares.size and (best := float(shares.max())) >= _LEAST_SHARE:
        first, second = divmod(int(np.argmax(shares == best)), earlier)
        found.append((first, second))
        shares[first], shares[:, second] = 0.0, 0.0
    return found
