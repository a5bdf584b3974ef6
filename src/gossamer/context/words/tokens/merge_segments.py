"""Merge small segments and those whose pages are mostly gone, so that refreshes leave neither many files nor dead text."""

from pathlib import Path

import numpy as np

from gossamer.context.words.tokens.build_segment import SegmentBuilder
from gossamer.context.words.tokens.segment import SUFFIX, Mask, Segment

_MOST_SMALL = 8
_SMALL_SHARE = 0.25
_LEAST_ALIVE = 0.5


def merge_segments(
    folder: Path, segments: list[Segment], alive: list[Mask], most_tokens: int
) -> tuple[list[Segment], list[Mask]]:
    """Return the segments and their living pages after merging; the files of merged ones stay until the state is written.

    Cost: copying the merged segments. Small segments are merged eight at a time, so that each token is copied a few times
    in the life of a store.
    """
    small = [at for at, one in enumerate(segments) if len(one.tokens) < _SMALL_SHARE * most_tokens]
    worn = [
        at for at, mask in enumerate(alive) if len(mask) and np.count_nonzero(mask) < _LEAST_ALIVE * len(mask)
    ]
    chosen = sorted({*worn, *(small if len(small) > _MOST_SMALL else ())})
    if not chosen:
        return segments, alive
    number = 1 + max(int(segment.name) for segment in segments)
    kept = [at for at in range(len(segments)) if at not in chosen]
    merged: list[Segment] = []
    builder = SegmentBuilder()
    for at in chosen:
        builder.copy_pages(segments[at], np.flatnonzero(alive[at]))
        if len(builder.tokens) >= most_tokens:
            merged.append(_write(builder, folder, number + len(merged)))
            builder = SegmentBuilder()
    if builder.pages:
        merged.append(_write(builder, folder, number + len(merged)))
    masks = [np.ones(segment.pages, np.bool_) for segment in merged]
    return [*(segments[at] for at in kept), *merged], [*(alive[at] for at in kept), *masks]


def _write(builder: SegmentBuilder, folder: Path, number: int) -> Segment:
    path = folder / f"{number:08}{SUFFIX}"
    builder.write(path)
    return Segment(path)
