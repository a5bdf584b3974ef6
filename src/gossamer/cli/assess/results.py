"""Print the results of assessments: samples, precision by groups, judges and their agreement."""

from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.cli.output.wording import format_count

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.assess.records import Verdict
    from gossamer.assess.results.precision import Precision
    from gossamer.assess.results.sample_results import PrecisionGroup, SampleResults
    from gossamer.store.batch import Store
    from gossamer.web import Web

_NAME_CHARS = 60
_VERDICTS: "tuple[Verdict, ...]" = ("relevant", "not", "unsure")


def list_samples(store: "Store", json: bool) -> None:
    """List the samples of a web and how many pages each judge has judged."""
    from gossamer.assess.results.sample_results import list_progress
    from gossamer.cli.output.json_lines import print_json
    from gossamer.cli.output.tables import clean_text, console, print_table

    known = list_progress(store)
    if json:
        for sample in known:
            print_json(sample)
        return
    if not known:
        console.print("This web has no samples yet; `gossamer assess --by depth --sample 100` draws one.")
        return
    rows = [
        (
            sample.name,
            sample.pages,
            ", ".join(sample.by),
            clean_text(sample.where, _NAME_CHARS),
            ", ".join(f"{judge} {number:,}" for judge, number in sample.judged.items()),
        )
        for sample in known
    ]
    print_table("Samples", ["name", "pages", "by", "where", "judged"], rows)


def show_results(web: "Web", name: str, by: tuple[str, ...] | None, json: bool, judge: str = "") -> None:
    """Print the results of a sample, from all judges or from one."""
    from gossamer.assess.results.sample_results import compute_results, to_report
    from gossamer.cli.output.json_lines import print_json

    found = compute_results(web.store, name, by, judge)
    if json:
        print_json(to_report(found))
        return
    for group in found.groups:
        _print_precision(group, found.all)
    _print_judges(found)
    _print_notes(found, web.folder)


def _print_precision(group: "PrecisionGroup", everything: "Precision") -> None:
    from gossamer.cli.output.tables import clean_text, print_table

    columns = [*group.by, "sampled", "judged", "relevant", "unsure", "precision", "95 % interval"]
    named = [
        (*(clean_text(value, _NAME_CHARS) for value in row.values), *_format_cells(row)) for row in group.rows
    ]
    if not group.by:
        print_table("Precision", columns, named)
        return
    total = ("all", *[""] * (len(group.by) - 1), *_format_cells(everything))
    print_table(f"Precision by {' and '.join(group.by)}", columns, [*named, total])


def _format_cells(row: "Precision") -> tuple[object, ...]:
    known = row.precision is not None
    return (
        *(row.sampled, row.judged, row.relevant, row.unsure),
        f"{row.precision:.2f}" if known else "",
        f"{row.low:.2f} to {row.high:.2f}" if known else "",
    )


def _print_judges(found: "SampleResults") -> None:
    from gossamer.cli.output.tables import print_table

    rows = [
        (judge, sum(counts.values()), *(counts.get(verdict, 0) for verdict in _VERDICTS))
        for judge, counts in found.judges.items()
    ]
    if rows:
        print_table("Judges", ["judge", "judged", *_VERDICTS], rows)
    pairs = [
        (
            ", ".join(one.judges),
            one.pages,
            f"{one.agreed:.0%}" if one.pages else "",
            one.measure,
            "" if one.kappa is None else f"{one.kappa:.2f}",
        )
        for one in found.agreement
    ]
    if pairs:
        print_table("Agreement", ["judges", "pages in common", "agreed", "measure", "kappa"], pairs)


def _print_notes(found: "SampleResults", folder: Path) -> None:
    from gossamer.cli.output.tables import console
    from gossamer.store.opening.web_name import quote_web

    sample = found.sample
    pages = sum(stratum.pages for stratum in sample.strata)
    drawn = f"{len(sample.items):,} of {format_count(pages, 'page')}"
    console.print(f"Drawn with seed {sample.seed}: {drawn}.")
    if len(sample.strata) > 1:
        console.print("In the last line each stratum is weighted by its number of pages in the web.")
    if sample.chosen == "uncertain":
        console.print(
            "The pages were drawn because a model was uncertain of them: they do not represent the web."
        )
    if found.left:
        command = f"gossamer assess --name {sample.name} --web {quote_web(folder)}"
        console.print(f"{format_count(found.left, 'page')} to go: `{command}`")
