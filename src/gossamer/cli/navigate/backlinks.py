"""`gossamer backlinks`: print the pages of a web that link to a page."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that --help is fast
    from gossamer.navigate.backlinks import Backlink, Backlinks

_FACT_CHARS = 200
_INDENT = "   "


def backlinks(
    url: Annotated[str, typer.Argument(help="The address of any page.", metavar="URL")],
    count: Annotated[int, typer.Option("--count", help="How many pages.", min=1, max=100)] = 20,
    offset: Annotated[int, typer.Option("--offset", help="How many pages to leave out first.", min=0)] = 0,
    site: Annotated[str, typer.Option("--site", help="Only pages of this host or site.")] = "",
    topic: Annotated[
        str, typer.Option("--topic", help="Only pages that are relevant to this topic.", metavar="NAME")
    ] = "",
    latest: Annotated[
        bool, typer.Option("--latest", help="The pages that were written last come first.")
    ] = False,
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """List the pages that link to a page, the best first, with the words around each link.

    The page itself need not be in the web. Only links of pages that the web has are known.

    \b
    gossamer backlinks https://www.example.org/haydn --web music.web
    gossamer backlinks https://www.example.org/haydn --site example.com --json --web music.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.navigate.backlinks import BacklinkOrder, find_backlinks
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        order: BacklinkOrder = "latest" if latest else "best"
        found = find_backlinks(opened, url, offset, count, site, topic=topic, order=order)
    if json:
        print_json(found)
    else:
        _show(found)
    return 0


def _show(found: "Backlinks") -> None:
    from gossamer.cli.output.tables import clean_text, print_line
    from gossamer.cli.output.wording import format_count

    print_line((clean_text(found.title or found.url, _FACT_CHARS), "bold"))
    known = "" if found.known else "; the page itself is not in this collection"
    print_line(f"{format_count(found.found, 'page')} of this collection link to it{known}")
    for number, one in enumerate(found.items, found.offset + 1):
        _show_link(number, one)
    if len(found.sites) > 1:
        named = ", ".join(f"{clean_text(one.name)} {one.count:,}" for one in found.sites[:8])
        print_line(("sites: ", "dim"), (named, "dim"))
    if found.found < 2:
        print_line("Only pages that were collected are known. To collect around it:")
        print_line(_INDENT, (clean_text(found.collect, 500), "bold"))


def _show_link(number: int, one: "Backlink") -> None:
    from gossamer.cli.output.tables import clean_text, print_line
    from gossamer.search.answers.readable_address import decode_address

    print_line(f"{number}. ", (clean_text(one.title, _FACT_CHARS) or "(no title)", "bold"))
    words = [clean_text(text, _FACT_CHARS) for text in (one.before, one.anchor, one.after)]
    if any(words):
        print_line(_INDENT, f"{words[0]} ", (words[1] or "(no text)", "underline"), f" {words[2]}")
    day = time.strftime("%Y-%m-%d", time.gmtime(one.written_s))
    print_line(_INDENT, (clean_text(decode_address(one.url), _FACT_CHARS), "cyan"), (f"  {day}", "dim"))
