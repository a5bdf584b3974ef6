"""What assessments found: precision by groups, judges and their agreement, for people and for machines."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.cli.words import counted

if TYPE_CHECKING:  # imported by the verb when it runs: help has to answer at once
    from gossamer.assess.agreement import Agreement
    from gossamer.assess.precision import Precision
    from gossamer.assess.records import Judgement, Sample, Verdict
    from gossamer.store.batch import Store
    from gossamer.web import Web

_NAME_CHARS = 60
_VERDICTS: "tuple[Verdict, ...]" = ("relevant", "not", "unsure")


def list_samples(store: "Store", json: bool) -> None:
    """List the samples of a web, with who judged how much of them."""
    from gossamer.assess.keeping import judgements, samples
    from gossamer.cli.json_lines import print_json
    from gossamer.cli.show import console, harmless, table

    known = [
        (sample, Counter(one.judge for one in judgements(store, sample.name))) for sample in samples(store)
    ]
    if json:
        for sample, by_judge in known:
            print_json({**_drawn(sample), "judged": by_judge})
        return
    if not known:
        console.print("This web has no samples yet; `gossamer assess --by depth --sample 100` draws one.")
        return
    rows = [
        (
            sample.name,
            len(sample.items),
            ", ".join(sample.by),
            harmless(sample.where, _NAME_CHARS),
            ", ".join(f"{judge} {number:,}" for judge, number in by_judge.items()),
        )
        for sample, by_judge in known
    ]
    table("Samples", ["name", "pages", "by", "where", "judged"], rows)


def show_results(web: "Web", name: str, by: tuple[str, ...] | None, json: bool) -> None:
    """Show what the judgements of a sample say."""
    from gossamer.assess.agreement import agreements
    from gossamer.assess.keeping import judgements, sample_called, verdicts
    from gossamer.assess.precision import precisions, whole
    from gossamer.cli.json_lines import print_json

    sample = sample_called(web.store, name)
    said = judgements(web.store, name)
    by_page = verdicts(said)
    groups = _groupings(sample, by)
    found = {group: precisions(sample, by_page, group) for group in groups}
    everything, agreed = whole(sample, by_page), agreements(said)
    if json:
        print_json(
            {
                **_drawn(sample),
                "judges": _by_judge(said),
                "precision": {",".join(group): rows for group, rows in found.items()},
                "all": everything,
                "agreement": agreed,
            }
        )
        return
    for group, rows in found.items():
        _print_precision(group, rows, everything)
    _print_judges(said, agreed)
    _print_notes(sample, everything, web.folder)


def _groupings(sample: "Sample", by: tuple[str, ...] | None) -> list[tuple[str, ...]]:
    """Return what to group by: what was asked for, or what the sample was drawn by, and orders where there are several."""
    if by is not None:
        return [by]
    several_orders = len({item.order for item in sample.items}) > 1 and "order" not in sample.by
    return [sample.by, *([("order",)] if several_orders else [])]


def _drawn(sample: "Sample") -> dict[str, Any]:
    """Tell how a sample was drawn, for machines."""
    told = ("name", "asked", "seed", "by", "where", "topic", "chosen", "created_s", "strata")
    return {**{field: getattr(sample, field) for field in told}, "pages": len(sample.items)}


def _by_judge(said: "list[Judgement]") -> "dict[str, Counter[Verdict]]":
    by_judge: dict[str, Counter[Verdict]] = {}
    for one in said:
        by_judge.setdefault(one.judge, Counter())[one.verdict] += 1
    return by_judge


def _print_precision(group: tuple[str, ...], rows: "list[Precision]", everything: "Precision") -> None:
    from gossamer.cli.show import harmless, table

    columns = [*group, "sampled", "judged", "relevant", "unsure", "precision", "95 % interval"]
    lines = [
        (*(harmless(value, _NAME_CHARS) for value in row.values), *_numbers(row)) for row in rows if group
    ]
    total = ("all", *[""] * (len(group) - 1)) if group else ()
    title = f"Precision by {' and '.join(group)}" if group else "Precision"
    table(title, columns, [*lines, (*total, *_numbers(everything))])


def _numbers(row: "Precision") -> tuple[object, ...]:
    known = row.precision is not None
    return (
        *(row.sampled, row.judged, row.relevant, row.unsure),
        f"{row.precision:.2f}" if known else "",
        f"{row.low:.2f} to {row.high:.2f}" if known else "",
    )


def _print_judges(said: "list[Judgement]", agreed: "list[Agreement]") -> None:
    from gossamer.cli.show import table

    rows = [
        (judge, counts.total(), *(counts[verdict] for verdict in _VERDICTS))
        for judge, counts in _by_judge(said).items()
    ]
    if rows:
        table("Judges", ["judge", "judged", *_VERDICTS], rows)
    pairs = [
        (
            ", ".join(one.judges),
            one.pages,
            f"{one.agreed:.0%}" if one.pages else "",
            one.measure,
            "" if one.kappa is None else f"{one.kappa:.2f}",
        )
        for one in agreed
    ]
    if pairs:
        table("Agreement", ["judges", "pages in common", "the same", "measure", "kappa"], pairs)


def _print_notes(sample: "Sample", everything: "Precision", folder: Path) -> None:
    from gossamer.cli.show import console

    pages = sum(stratum.pages for stratum in sample.strata)
    console.print(f"{counted(len(sample.items), 'page')} were drawn from {pages:,} with seed {sample.seed}.")
    if len(sample.strata) > 1:
        console.print("In the last line each stratum counts by the pages that it has in the web.")
    if sample.chosen == "uncertain":
        console.print("They were chosen because a model was unsure of them: for the web they do not stand.")
    left = len(sample.items) - everything.judged - everything.unsure
    if left:
        console.print(
            f"{counted(left, 'page')} to go; `gossamer assess --name {sample.name} --web {folder}` goes on."
        )
