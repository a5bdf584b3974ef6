"""The results of a sample: verdicts, precision by group and agreement, and their form in JSON."""

from collections import Counter

import msgspec

from gossamer.assess.judgements import decide_verdicts, get_sample, list_samples, read_judgements
from gossamer.assess.records import Sample, Selection, Stratum, Verdict
from gossamer.assess.results.agreement import Agreement, measure_agreements
from gossamer.assess.results.precision import Precision, compute_overall_precision, compute_precisions
from gossamer.errors import BadInput
from gossamer.store.batch import Store


class SampleSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How a sample was drawn, in JSON."""

    name: str
    asked: int
    """The number of pages that was asked for, from each stratum."""
    seed: int
    by: tuple[str, ...]
    where: str
    topic: str
    chosen: Selection
    question: str
    """What the judges are asked; "" if that was not set."""
    created_s: float
    strata: tuple[Stratum, ...]
    pages: int
    """The number of pages in the sample."""


class SampleProgress(SampleSummary, frozen=True, kw_only=True):
    """A sample in the list of samples, with the progress of its judges."""

    judged: dict[str, int]
    """How many pages each judge has judged."""


class SampleReport(SampleSummary, frozen=True, kw_only=True):
    """The results of a sample so far, in JSON."""

    judges: dict[str, dict[Verdict, int]]
    """How often each judge gave each verdict."""
    precision: dict[str, tuple[Precision, ...]]
    """The precision of groups of pages, by grouping."""
    all: Precision
    """Of all pages that the sample stands for."""
    agreement: tuple[Agreement, ...]


class PrecisionGroup(msgspec.Struct, frozen=True):
    """The precision of the groups of one grouping."""

    by: tuple[str, ...]
    rows: tuple[Precision, ...]


class SampleResults(msgspec.Struct, frozen=True):
    """The results of a sample so far."""

    sample: Sample
    judges: dict[str, dict[Verdict, int]]
    """How often each judge gave each verdict."""
    groups: tuple[PrecisionGroup, ...]
    all: Precision
    """Of all pages that the sample stands for."""
    agreement: tuple[Agreement, ...]

    @property
    def left(self) -> int:
        """The number of pages that no judge has judged."""
        return len(self.sample.items) - self.all.judged - self.all.unsure


def compute_results(
    store: Store, name: str, by: tuple[str, ...] | None = None, judge: str = ""
) -> SampleResults:
    """Return the results of a sample, of all judges or of one.

    Without `by`, pages are grouped as the sample was drawn, and by order if it has several.
    """
    sample = get_sample(store, name)
    made = read_judgements(store, name, judge)
    if judge and not made:
        known = sorted({one.judge for one in read_judgements(store, name)})
        raise BadInput(
            f"{judge!r} has judged no page of the sample {name!r}; {', '.join(known) or 'no judge'} did"
        )
    by_page = decide_verdicts(made)
    counts: dict[str, Counter[Verdict]] = {}
    for one in made:
        counts.setdefault(one.judge, Counter())[one.verdict] += 1
    return SampleResults(
        sample,
        {judge: dict(verdicts) for judge, verdicts in counts.items()},
        tuple(
            PrecisionGroup(group, tuple(compute_precisions(sample, by_page, group)))
            for group in _choose_groupings(sample, by)
        ),
        compute_overall_precision(sample, by_page),
        tuple(measure_agreements(made)),
    )


def summarize_sample(sample: Sample) -> SampleSummary:
    """Return how a sample was drawn."""
    fields = (field for field in SampleSummary.__struct_fields__ if field != "pages")
    return SampleSummary(**{field: getattr(sample, field) for field in fields}, pages=len(sample.items))


def list_progress(store: Store) -> list[SampleProgress]:
    """Return all samples, with the number of pages that each judge has judged."""
    return [
        SampleProgress(
            **msgspec.structs.asdict(summarize_sample(sample)),
            judged=dict(Counter(one.judge for one in read_judgements(store, sample.name))),
        )
        for sample in list_samples(store)
    ]


def to_report(found: SampleResults) -> SampleReport:
    """Return results in the form for JSON."""
    return SampleReport(
        **msgspec.structs.asdict(summarize_sample(found.sample)),
        judges=found.judges,
        precision={",".join(group.by): group.rows for group in found.groups},
        all=found.all,
        agreement=found.agreement,
    )


def _choose_groupings(sample: Sample, by: tuple[str, ...] | None) -> list[tuple[str, ...]]:
    if by is not None:
        return [by]
    several_orders = len({item.order for item in sample.items}) > 1 and "order" not in sample.by
    return [sample.by, *([("order",)] if several_orders else [])]
