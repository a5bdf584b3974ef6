"""Samples as CSV sheets, to be judged in a spreadsheet or by a program and read back."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gossamer.assess.records import Verdict
from gossamer.errors import BadInput
from gossamer.records import Page
from gossamer.store.export.csv_files import escape_formula

COLUMNS = ("url", "title", "verdict")

_VERDICTS: dict[str, Verdict] = {
    **dict.fromkeys(("relevant", "r", "yes", "y", "1"), "relevant"),
    **dict.fromkeys(("not", "n", "no", "0"), "not"),
    **dict.fromkeys(("unsure", "u", "?"), "unsure"),
}


def write_sheet(path: Path, pages: Iterable[Page], verdicts: Mapping[int, Verdict]) -> int:
    """Write the pages of a sample, in the order of judging and with no more than judges see; return their number."""
    rows = [
        (escape_formula(page.url), escape_formula(page.title), verdicts.get(page.id, "")) for page in pages
    ]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            sheet = csv.writer(file)
            sheet.writerow(COLUMNS)
            sheet.writerows(rows)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
    return len(rows)


def read_sheet(path: Path, page_of: Mapping[str, int]) -> list[tuple[int, Verdict]]:
    """Return the pages and verdicts of a sheet; raise BadInput with the line of a mistake.

    `page_of` maps URLs to page ids. Pages without a verdict are left out.
    """
    try:
        # Spreadsheets often write a byte order mark.
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(_read_rows(csv.DictReader(file), path, page_of))
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadInput(f"{path} is not CSV in UTF-8: {error}") from None


def _read_rows(
    rows: "csv.DictReader[str]", path: Path, page_of: Mapping[str, int]
) -> Iterator[tuple[int, Verdict]]:
    missing = {"url", "verdict"} - set(rows.fieldnames or ())
    if missing:
        raise BadInput(f"{path} has no column {sorted(missing)[0]!r}; `--out` writes a sheet that has it")
    for row in rows:
        text = (row["verdict"] or "").strip().lower()
        if not text:
            continue
        verdict = _VERDICTS.get(text)
        if verdict is None:
            raise BadInput(
                f"{path}, line {rows.line_num}: {text!r} is not a verdict; write relevant, not or unsure"
            )
        page = page_of.get((row["url"] or "").strip())
        if page is None:
            raise BadInput(f"{path}, line {rows.line_num}: {row['url']!r} is not in this sample")
        yield page, verdict
