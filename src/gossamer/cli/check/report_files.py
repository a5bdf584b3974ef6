"""Prints the result of a check, and writes it to the files that were asked for."""

import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

import gossamer
from gossamer.atomic_file import write_atomically
from gossamer.cli.output.json_lines import write_json_lines
from gossamer.cli.output.terminal_text import clean_lines
from gossamer.errors import BadInput
from gossamer.link_check.problem import CheckResult, Problem, summarise

_JSON = msgspec.json.Encoder()
_AT_ONCE = 1_000


def report(
    result: CheckResult, files: Mapping[str, Path | None], github: bool, json: bool, title: str
) -> None:
    """Write all reports, and print the result in one form."""
    for form, path in files.items():
        if path is not None:
            _write_file(path, _make_report(form, result, title))
    if json:
        _print_json(result)
    elif github:
        from gossamer.link_check.reports.github_report import write_github

        sys.stdout.write(clean_lines(write_github(result.problems)))
    else:
        from gossamer.cli.check.show_result import show_result

        show_result(result)


def _make_report(form: str, result: CheckResult, title: str) -> str:
    match form:
        case "html":
            from gossamer.link_check.reports.html_report import write_html

            return write_html(result, title)
        case "csv":
            from gossamer.link_check.reports.csv_report import write_csv

            return write_csv(result.problems)
        case "junit":
            from gossamer.link_check.reports.junit_report import write_junit

            return write_junit(result)
        case _:
            from gossamer.link_check.reports.sarif_report import write_sarif

            return write_sarif(result, gossamer.__version__)


def _write_file(path: Path, text: str) -> None:
    try:
        with write_atomically(path) as temporary:
            temporary.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise BadInput(f"the report {path} cannot be written: {error.strerror}") from None


def _print_json(result: CheckResult) -> None:
    """Print one object for each problem, and the numbers at the end."""
    for at in range(0, len(result.problems), _AT_ONCE):
        write_json_lines([_JSON.encode(_to_json(one)) for one in result.problems[at : at + _AT_ONCE]])
    write_json_lines([_JSON.encode(summarise(result))])


def _to_json(one: Problem) -> dict[str, object]:
    return {**msgspec.structs.asdict(one), "severity": one.severity}
