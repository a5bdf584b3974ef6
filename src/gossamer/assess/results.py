"""What the judgements of a sample say, all together."""

from collections import Counter

import msgspec

from gossamer.assess.agreement import Agreement, agreements
from gossamer.assess.keeping import judgements, sample_called, verdicts
from gossamer.assess.precision import Precision, precisions, whole
from gossamer.assess.records import Sample, Verdict
from gossamer.errors import BadInput
from gossamer.store.batch import Store


class Grouped(msgspec.Struct, frozen=True):
    """Precision of groups of pages."""

    by: tuple[str, ...]
    rows: tuple[Precision, ...]


class Results(msgspec.Struct, frozen=True):
    """What was found so far."""

    sample: Sample
    judges: dict[str, dict[Verdict, int]]
    """How often each judge said what."""
    groups: tuple[Grouped, ...]
    all: Precision
    """Of all pages that the sample stands for."""
    agreement: tuple[Agreement, ...]

    @property
    def left(self) -> int:
        """How many pages nobody has judged."""
        return len(self.sample.items) - self.all.judged - self.all.unsure


def results(store: Store, name: str, by: tuple[str, ...] | None = None, judge: str = "") -> Results:
    """Return what is known from a sample, by all judges or by one.

    It is grouped by what the sample was drawn by, and by order where there are several, if nothing else is asked for.
    """
    sample = sample_called(store, name)
    said = judgements(store, name, judge)
    if judge and not said:
        known = sorted({one.judge for one in judgements(store, name)})
        raise BadInput(
            f"{judge!r} has judged no page of the sample {name!r}; {', '.join(known) or 'nobody'} did"
        )
    by_page = verdicts(said)
    counts: dict[str, Counter[Verdict]] = {}
    for one in said:
        counts.setdefault(one.judge, Counter())[one.verdict] += 1
    return Results(
        sample,
        {judge: dict(verdicts) for judge, verdicts in counts.items()},
        tuple(Grouped(group, tuple(precisions(sample, by_page, group))) for group in _groupings(sample, by)),
        whole(sample, by_page),
        tuple(agreements(said)),
    )


def _groupings(sample: Sample, by: tuple[str, ...] | None) -> list[tuple[str, ...]]:
    if by is not None:
        return [by]
    several_orders = len({item.order for item in sample.items}) > 1 and "order" not in sample.by
    return [sample.by, *([("order",)] if several_orders else [])]
