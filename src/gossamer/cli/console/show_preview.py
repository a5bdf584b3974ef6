"""Print the preview of a new task or of changed rules: which of the links that a web knows would be taken up?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported when the preview is made
    from gossamer.config import TaskSpec
    from gossamer.crawl.explain.preview_rules import ChangePreview, RulePreview
    from gossamer.web import Web

_URL_CHARACTERS = 200


def preview_task(web: Path, spec: "TaskSpec", json: bool) -> int:
    """Print how many of the known links a new task would take up; nothing is fetched or stored."""
    from gossamer.reports.crawls.preview_task import PREVIEWER
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        preview = PREVIEWER.preview_task(opened, spec)
    if json:
        _print_json(_list_facts(preview))
        return 0
    from gossamer.cli.output.tables import console

    console.print(f"This would take up {_describe_taken(preview)}.")
    _print_rules(preview)
    console.print(_describe_basis(preview))
    return 0


def preview_change(web: "Web", before: "TaskSpec", after: "TaskSpec", json: bool) -> int:
    """Print what a change of rules would change; nothing is changed."""
    from gossamer.reports.crawls.preview_task import PREVIEWER

    show_change(PREVIEWER.preview_change(web, before, after), json)
    return 0


def show_change(preview: "ChangePreview", json: bool) -> None:
    """Print the preview of a change."""
    if json:
        gained = _estimate(preview.after, preview.gained) | {"examples": preview.gained_examples}
        lost = _estimate(preview.after, preview.lost) | {"examples": preview.lost_examples}
        facts = {"before": _list_facts(preview.before), "after": _list_facts(preview.after)}
        _print_json(facts | {"gained": gained, "lost": lost})
        return
    from gossamer.cli.output.tables import clean_text, console
    from gossamer.reports.crawls.judge_rules import describe_rule

    before = _format_estimate(preview.before, preview.before.taken)
    console.print(f"This would take up {_describe_taken(preview.after)}, instead of {before}.")
    console.print(f"Taken up now: {_format_estimate(preview.after, preview.gained)}")
    for url in preview.gained_examples:
        console.print(f"  {clean_text(url, _URL_CHARACTERS)}")
    console.print(f"No longer taken up: {_format_estimate(preview.after, preview.lost)}")
    for url, rule in preview.lost_examples:
        console.print(f"  {clean_text(url, _URL_CHARACTERS)}: {describe_rule(rule)}")
    _print_rules(preview.after)
    console.print(f"What is queued or fetched already stays. {_describe_basis(preview.after)}")


def _print_rules(preview: "RulePreview") -> None:
    from gossamer.cli.output.tables import clean_text, print_table
    from gossamer.reports.crawls.judge_rules import describe_rule

    decisions = [("", "taken up", preview.taken)]
    decisions += [(rule, describe_rule(rule), times) for rule, times in preview.refused.items()]
    rows = []
    for rule, words, times in decisions:
        examples = preview.examples.get(rule, [])
        first = clean_text(examples[0], _URL_CHARACTERS) if examples else ""
        rows.append((words, _format_estimate(preview, times), first))
    print_table("", ("decision", "links", "such as"), rows)


def _describe_taken(preview: "RulePreview") -> str:
    taken = f"{_format_estimate(preview, preview.taken)} of the {preview.known:,} links known"
    limit = f"; the limit of {preview.limit:,} pages ends it before" if preview.limit else ""
    return f"{taken}{limit}"


def _format_estimate(preview: "RulePreview", judged: int) -> str:
    guess, least, most = preview.estimate(judged)
    return f"about {guess:,} ({least:,} to {most:,})" if preview.is_sample else f"{guess:,}"


def _describe_basis(preview: "RulePreview") -> str:
    """Return what the numbers rest on, and what they leave out."""
    basis = ""
    if preview.is_sample:
        basis = (
            f"Estimated from {preview.judged:,} links that were drawn at random; the true numbers are within the ranges "
            "in 19 of 20 cases. Depths are not considered in a web of this size. "
        )
    elif not preview.walked:
        basis = "No start page has been read yet, so depths are not known and count as 0. "
    return f"{basis}Languages, kinds and topics are decided when a page is read."


def _estimate(preview: "RulePreview", judged: int) -> dict[str, object]:
    links, least, most = preview.estimate(judged)
    return {"links": links, "least": least, "most": most}


def _list_facts(preview: "RulePreview") -> dict[str, object]:
    """Return a preview as the JSON API has it, with examples and what it rests on."""
    taken = _estimate(preview, preview.taken)
    return {
        "known": preview.known,
        "judged": preview.judged,
        "taken": taken["links"],
        "least": taken["least"],
        "most": taken["most"],
        "refused": preview.refused,
        "examples": {rule or "taken": urls for rule, urls in preview.examples.items()},
        "depths_known": preview.walked,
        "page_limit": preview.limit,
    }


def _print_json(facts: Mapping[str, object]) -> None:
    from gossamer.cli.output.json_lines import print_json

    print_json(facts)
