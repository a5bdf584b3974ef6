"""Show changes of watched pages: in the terminal, with marked words, or as JSON lines."""

from collections.abc import Sequence
from typing import Protocol

from gossamer.watch.change_log import BlockChange, PageChange, describe_change, format_time, to_facts
from gossamer.watch.watch_list import WatchedPage

_STYLES = {"same": "", "gone": "red strike", "new": "green"}
_SIGNS = {"changed": "~", "added": "+", "removed": "-"}
_STYLE_OF_SIGN = {"changed": "yellow", "added": "green", "removed": "red"}


class ChangeView(Protocol):
    """Shows a check as it goes on."""

    def show_look(self, number: int, pages: int) -> None:
        """Show that pages are being fetched."""
        ...

    def show_change(self, change: PageChange) -> None:
        """Show a change."""
        ...

    def show_end(self, done: Sequence[WatchedPage], changes: int, not_due: int) -> None:
        """Show what was checked."""
        ...


def make_view(json: bool) -> ChangeView:
    """Return the view for a person, or for a program."""
    return JsonChangeView() if json else TerminalChangeView()


class JsonChangeView:
    """Prints each change as one JSON object, and one about the check at the end."""

    def show_look(self, number: int, pages: int) -> None:
        """Print nothing."""

    def show_change(self, change: PageChange) -> None:
        """Print a change."""
        from gossamer.cli.output.json_lines import print_json

        print_json(to_facts(change))

    def show_end(self, done: Sequence[WatchedPage], changes: int, not_due: int) -> None:
        """Print how many pages were checked."""
        from gossamer.cli.output.json_lines import print_json

        absent = sum(page.status in ("gone", "failing") for page in done)
        print_json({"checked": len(done), "changes": changes, "absent": absent, "not_due": not_due})


class TerminalChangeView:
    """Prints changes for people; nothing in a page can steer the terminal."""

    def show_look(self, number: int, pages: int) -> None:
        """Print which look this is."""
        from gossamer.cli.output.tables import print_line
        from gossamer.cli.output.wording import format_count

        again = f", look {number}" if number > 1 else ""
        print_line((f"Looking at {format_count(pages, 'page')}{again} …", "dim"))

    def show_change(self, change: PageChange) -> None:
        """Print a change with its paragraphs."""
        from gossamer.cli.output.tables import print_line

        print_line((change.url, "bold"), f"  [{change.part}]" if change.part else "")
        since = f", compared with {format_time(change.before_s)}" if change.before_s else ""
        print_line((f"{format_time(change.when_s)}{since}", "dim"))
        print_line(describe_change(change))
        for block in change.blocks:
            _print_block(block)
        if change.left_out:
            print_line((f"  {change.left_out:,} more paragraphs differ.", "dim"))
        print_line("")

    def show_end(self, done: Sequence[WatchedPage], changes: int, not_due: int) -> None:
        """Print how many pages were checked."""
        from gossamer.cli.output.tables import print_line
        from gossamer.cli.output.wording import format_count

        if not done:
            print_line(f"Nothing is due; {format_count(not_due, 'page')} on the watch list.")
            return
        found = format_count(changes, "change") if changes else "no change"
        print_line(f"Checked {format_count(len(done), 'page')}: {found}.")


def _print_block(block: BlockChange) -> None:
    """Print a paragraph; without colours, words that went are in [- -] and words that came in {+ +}."""
    from gossamer.cli.output.tables import console, print_line

    sign = (f"  {_SIGNS[block.kind]} ", _STYLE_OF_SIGN[block.kind])
    plain = console.color_system is None
    words = [_mark(span.kind, span.text, block.kind, plain) for span in block.words]
    print_line(sign, *words)


def _mark(kind: str, text: str, block: str, plain: bool) -> tuple[str, str]:
    one_line = text.replace("\n", " ")
    if plain and block == "changed" and kind != "same":
        body = one_line.rstrip()
        marks = ("[-", "-]") if kind == "gone" else ("{+", "+}")
        one_line = f"{marks[0]}{body}{marks[1]}{one_line[len(body) :]}"
    return one_line, _STYLES[kind]
