"""Print where the links of the answers to a query lead, in groups."""

from gossamer.broker.broker import Broker
from gossamer.cli.output.json_lines import print_json
from gossamer.cli.output.tables import clean_text, console, print_line
from gossamer.cli.output.wording import format_count
from gossamer.context.themes.link_groups import LinkGroups
from gossamer.context.themes.web_themes import group_answer_links
from gossamer.errors import BadInput
from gossamer.web import Web

_URL_CHARS = 200


def show_links(opened: Web | Broker, query: str, json: bool) -> int:
    """Print the groups of linked pages, themes before sites."""
    if isinstance(opened, Broker):
        raise BadInput("--links reads the links of one web; name one with --web")
    found = group_answer_links(opened.folder, opened.store, query, opened.pages_found)
    if json:
        print_json(found)
    else:
        _print_groups(found)
    return 0


def _print_groups(found: LinkGroups) -> None:
    if not found.groups:
        console.print(f"{format_count(found.answers, 'answer')}, without links to other pages")
    for group in found.groups:
        kind = f"theme {group.theme}" if group.theme else "site"
        counts = f"{format_count(group.links, 'link')} to {format_count(group.pages, 'page')}"
        print_line((clean_text(group.label), "bold"), (f"  {kind}, {counts}", "dim"))
        for page in group.best:
            print_line(f"   {clean_text(page.title or page.text) or '(no title)'}")
            print_line("   ", (clean_text(page.url, _URL_CHARS), "cyan"))
