"""`gossamer card`: print what a web knows about addresses, without asking their servers."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:  # imported when the verb runs, so that --help is fast
    from gossamer.navigate.link_card import LinkCard

_FACT_CHARS = 300


def card(
    urls: Annotated[list[str], typer.Argument(help="Addresses of pages.", metavar="URL…")],
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Say what a web knows about the page behind a link.

    Title, first sentences, author, language, size, date, state, and place in the link graph. Nothing is fetched.

    \b
    gossamer card https://www.example.org/haydn --web music.web
    gossamer card https://www.example.org/a https://www.example.org/b --json --web music.web
    """
    from gossamer.cli.output.json_lines import print_json
    from gossamer.navigate.link_card import CardMaker
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        maker = CardMaker(opened)
        cards = [maker.make_card(url) for url in urls]
    for number, found in enumerate(cards):
        if json:
            print_json(found)
        else:
            if number:
                typer.echo()
            _show_card(found)
    return 0


def _show_card(found: "LinkCard") -> None:
    from gossamer.cli.output.tables import clean_text, print_line
    from gossamer.search.answers.readable_address import decode_address

    print_line((clean_text(found.title, _FACT_CHARS) or "(no title)", "bold"))
    print_line((clean_text(decode_address(found.url), _FACT_CHARS), "cyan"))
    for target in found.redirects:
        print_line("→ ", (clean_text(decode_address(target), _FACT_CHARS), "cyan"))
    for sentence in found.sentences:
        print_line(clean_text(sentence, _FACT_CHARS))
    print_line((" · ".join(clean_text(one, _FACT_CHARS) for one in list_facts(found)), "dim"))


def list_facts(found: "LinkCard") -> list[str]:
    """Return the facts of a card as people read them."""
    date = time.strftime("%Y-%m-%d", time.gmtime(found.fetched_s))
    facts = [
        "" if found.known else "not in this collection",
        "gone" if found.gone else f"failed: {found.failure}" if found.failure else "",
        f"by {found.author}" if found.author else "",
        found.language,
        found.kind,
        f"{found.bytes / 1000:,.1f} kB" if found.bytes else "",
        f"{found.words:,} words" if found.words else "",
        f"visited {date}, {found.visits} times in all"
        if found.visits > 1
        else f"visited {date}"
        if found.visits
        else "",
        f"depth {found.depth}" if found.known else "",
        f"links in {found.in_links:,}, out {found.out_links:,}",
        f"rank {found.rank}" if found.rank else "",
        *(f"{one.name} {one.score}" for one in found.topics),
    ]
    return [fact for fact in facts if fact]
