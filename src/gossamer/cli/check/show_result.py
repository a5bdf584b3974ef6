"""Shows the result of a check on a terminal, grouped by address."""

from gossamer.cli.output.tables import clean_text, console, print_line
from gossamer.cli.output.wording import format_count
from gossamer.link_check.problem import CheckResult, summarise
from gossamer.link_check.reports.grouped_targets import (
    TargetGroup,
    describe_places,
    format_place,
    group_by_target,
)

_MOST_PLACES = 3
_MOST_GROUPS = 20
"""So many addresses of one problem are shown that is only a warning; `--html` and `--json` have all."""


def show_result(result: CheckResult) -> None:
    """Print each wrong address with the pages on which it stands, then the numbers."""
    shown: dict[str, int] = {}
    for group in group_by_target(result.problems):
        shown[group.problem] = shown.get(group.problem, 0) + 1
        if group.is_error or shown[group.problem] <= _MOST_GROUPS:
            _show_group(group)
    hidden = {name: count - _MOST_GROUPS for name, count in shown.items() if count > _MOST_GROUPS}
    for name, count in hidden.items():
        if not any(one.problem == name and one.severity == "error" for one in result.problems):
            print_line(f"… and {count:,} more of ", (name, "bold"), "; --html FILE and --json show all")
    numbers = summarise(result)
    console.print()
    print_line(
        f"{numbers.checked:,} {'address' if numbers.checked == 1 else 'addresses'} on {format_count(numbers.pages, 'page')} checked: ",
        (f"{numbers.broken:,} broken", "bold red" if numbers.broken else "bold green"),
        f", {format_count(numbers.warnings, 'warning')}.",
    )


def _show_group(group: TargetGroup) -> None:
    status = f" {group.status}" if group.status else ""
    print_line(
        (group.problem + status, "bold red" if group.is_error else "yellow"),
        " ",
        clean_text(group.target, 300),
    )
    if group.detail:
        print_line("    ", clean_text(group.detail, 200))
    places = ", ".join(clean_text(format_place(one), 200) for one in group.places[:_MOST_PLACES])
    more = " …" if len(group.places) > _MOST_PLACES else ""
    print_line(f"    stands {describe_places(group)}: ", (places + more, "dim"))
