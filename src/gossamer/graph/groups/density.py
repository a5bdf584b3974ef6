"""Density thresholds of clusters and cores, with the presets of Schmitz 2001 (section 3.4.2, table 3.12)."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from gossamer.errors import BadInput

DECAY = 0.9
"""Rate at which the threshold falls, in all runs of table 3.12."""


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The share of members that a page must be linked with to join them; it falls from t_max to t_min as a set grows."""

    t_min: float
    t_max: float
    decay: float = DECAY

    def __post_init__(self) -> None:
        if not 0 < self.t_min <= self.t_max <= 1:
            raise BadInput(
                f"thresholds need 0 < t_min ≤ t_max ≤ 1, not t_min {self.t_min:g} and t_max {self.t_max:g}"
            )
        if not 0 <= self.decay <= 1:
            raise BadInput(f"decay must be from 0 to 1, not {self.decay:g}")

    def override(self, t_min: float | None, t_max: float | None, decay: float | None) -> "Thresholds":
        """Return a copy with the given values; None keeps a value."""
        given = zip((t_min, t_max, decay), (self.t_min, self.t_max, self.decay), strict=True)
        return Thresholds(*(own if other is None else other for other, own in given))

    def at(self, size: float) -> float:
        """Return the threshold for a set of this size."""
        return float(self.t_min + (self.t_max - self.t_min) * self.decay ** (size * size))

    def table(self, largest: int, members_a_step: float = 1) -> NDArray[np.float64]:
        """Return the thresholds at 0, 1, 2 … steps, up to the largest size or until they no longer change."""
        found = [self.at(0)]
        for step in range(1, largest + 1):
            found.append(self.at(step * members_a_step))
            if found[-1] in (self.t_min, self.t_max):
                break
        return np.array(found)


class ClusterRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which clusters to look for."""

    size: int
    """Smallest number of members."""
    thresholds: Thresholds

    def __post_init__(self) -> None:
        if self.size < 2:
            raise BadInput(f"a cluster has at least two members, not {self.size}")


class CoreRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which bipartite cores to look for."""

    fans: int
    centres: int
    """Smallest numbers of fans and of centres."""
    thresholds: Thresholds

    def __post_init__(self) -> None:
        if min(self.fans, self.centres) < 1:
            raise BadInput(f"a core has at least one fan and one centre, not {self.fans} and {self.centres}")


def _make_cluster_rules(size: int, t_min: float, t_max: float) -> tuple[str, ClusterRules]:
    return f"{size}-{t_min:g}-{t_max:g}", ClusterRules(size, Thresholds(t_min, t_max))


def _make_core_rules(fans: int, centres: int, t_min: float, t_max: float) -> tuple[str, CoreRules]:
    return f"{fans}-{centres}-{t_min:g}-{t_max:g}", CoreRules(fans, centres, Thresholds(t_min, t_max))


CLUSTER_PRESETS: dict[str, ClusterRules] = dict(
    [
        _make_cluster_rules(3, 1, 1),
        _make_cluster_rules(4, 0.7, 1),
        _make_cluster_rules(6, 0.2, 0.5),
        _make_cluster_rules(6, 0.5, 0.8),
        _make_cluster_rules(8, 0.3, 0.6),
    ]
)
"""The runs of grow-with-threshold in table 3.12, named size-t_min-t_max."""
CORE_PRESETS: dict[str, CoreRules] = dict(
    [
        _make_core_rules(3, 3, 1, 1),
        _make_core_rules(6, 6, 0.2, 0.5),
        _make_core_rules(6, 6, 0.5, 0.8),
        _make_core_rules(8, 8, 0.3, 0.6),
        _make_core_rules(8, 8, 0.7, 1),
    ]
)
"""The runs of grow-bipartite in table 3.12, named fans-centres-t_min-t_max."""
