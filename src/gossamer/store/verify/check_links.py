"""Check the links of pages: whether they can be unpacked, and whether their pages are known."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gossamer.errors import GossamerError
from gossamer.store import record_rows
from gossamer.store.verify.findings import Findings

Ids = NDArray[np.int64]
LinkRow = tuple[int, int, int, bytes, bytes, bytes]
"""Number, source, how many links, packed targets, kinds and texts."""


def check_links(rows: Iterable[LinkRow], known: Ids, findings: Findings) -> None:
    """Check rows of links; `known` are the ids of all known pages, ascending."""
    sources, targets = [], []
    for number, source, links, packed, kinds, texts in rows:
        try:
            record_rows.check_targets(packed, links)
            unpacked = list(record_rows.unpack_links(source, packed, kinds, texts))
        except GossamerError:
            findings.add("links", f"row {number}")
            continue
        findings.check("links", len(unpacked))
        sources.append(source)
        targets.append(packed)
    report_unknown("unknown source", np.array(sources, np.int64), known, findings)
    report_unknown("unknown target", np.frombuffer(b"".join(targets), "<i8"), known, findings)


def report_unknown(problem: str, ids: Ids, known: Ids, findings: Findings) -> None:
    """Report those of some ids that are not known."""
    at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    unknown = ids[known[at] != ids]
    if len(unknown):
        findings.add(problem, f"page id {int(unknown[0]) & (1 << 64) - 1:016x}", len(unknown))
