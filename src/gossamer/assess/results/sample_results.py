"""What the judgements of a sample say, all together."""

from collections import Counter

import msgspec

from gossamer.assess.judgements import judgements, sample_called, samples, verdicts
from gossamer.assess.records import Chosen, Sample, Stratum, Verdict
from gossamer.assess.results.agreement import Agreement, agreements
from gossamer.assess.results.precision import Precision, precisions, whole
from gossamer.errors import BadInput
from gossamer.store.batch import Store


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """How a sample was drawn, as programs are told."""

    name: str
    asked: int
    """Pages of each stratum that were asked for."""
    seed: int
    by: tuple[str, ...]
    where: str
    topic: str
    chosen: Chosen
    created_s: float
    strata: tuple[Stratum, ...]
    pages: int
    """How many the sample has."""


class Listed(Drawn, frozen=True, kw_only=True):
    """A sample among others."""

    judged: dict[str, int]
    """How many pages each judge has judged."""


class Told(Drawn, frozen=True, kw_only=True):
    """What was found so far, as programs are told."""

    judges: dict[str, dict[Verdict, int]]
    """How often each judge said what."""
    precision: dict[str, tuple[Precision, ...]]
    """Of groups of pages, by what they are grouped by."""
    all: Precision
    """Of all pages that the sample stands for."""
    agreement: tuple[Agreement, ...]


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


def drawn(sample: Sample) -> Drawn:
    """Return how a sample was drawn as programs are told."""
    fields = (field for field in Drawn.__struct_fields__ if field != "pages")
    return Drawn(**{field: getattr(sample, field) for field in fields}, pages=len(sample.items))


def listed(store: Store) -> list[Listed]:
    """Return all samples, with who judged how much of them."""
    return [
        Listed(
            **msgspec.structs.asdict(drawn(sample)),
            judged=dict(Counter(one.judge for one in judgements(store, sample.name))),
        )
        for sample in samples(store)
    ]


def told(found: Results) -> Told:
    """Return what was found as programs are told."""
    return Told(
        **msgspec.structs.asdict(drawn(found.sample)),
        judges=found.judges,
        precision={",".join(group.by): group.rows for group in found.groups},
        all=found.all,
        agreement=found.agreement,
    )


def _groupings(sample: Sample, by: tuple[str, ...] | None) -> list[tuple[str, ...]]:
    if by is not None:
        return [by]
    several_orders = len({item.order for item in sample.items}) > 1 and "order" not in sample.by
    return [sample.by, *([("order",)] if several_orders else [])]
