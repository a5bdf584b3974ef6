"""Print the groups of the answers to a query as a table."""

from gossamer.cli.output.tables import clean_text, console, print_line
from gossamer.cli.output.wording import format_count
from gossamer.search.answers.answer_query import MOST_HITS
from gossamer.search.clusters.cluster_records import GroupedAnswers

_TITLE_CHARS = 60


def show_groups(found: GroupedAnswers) -> None:
    """Print each group with its label, its size and its best titles."""
    from rich.table import Table

    console.print(_summarise(found))
    for note in found.notes:
        console.print(clean_text(note, 200))
    if not found.groups:
        return
    table = Table("group", "answers", "best answers", show_lines=False)
    table.columns[1].justify = "right"
    for group in found.groups:
        titles = [f"{one.rank}. {clean_text(one.title or one.url, _TITLE_CHARS)}" for one in group.best]
        table.add_row(clean_text(group.label), f"{group.count:,}", "\n".join(titles))
    if found.rest:
        table.add_row("(other)", f"{len(found.rest):,}", "")
    console.print(table)
    print_line(
        ("An answer may be in two groups. Add words of a label to the query to see its answers.", "dim")
    )


def _summarise(found: GroupedAnswers) -> str:
    total, took = format_count(found.total, "page"), f"{found.took_s * 1000:,.0f} ms"
    if not found.total:
        return f"{total} in {took}"
    answers = format_count(found.grouped, "answer")
    answers = f"the best {answers}" if found.total > MOST_HITS else answers
    if not found.groups:
        return f"{total} in {took}; {answers} share too few words for groups"
    return f"{total} in {took}; {answers} in {format_count(len(found.groups), 'group')}"
