"""Print which rule of a task decides for URLs, before a crawl meets them: `gossamer explain --rules`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:  # imported when the verb runs, so that help stays quick
    from gossamer.crawl.explain.judge_urls import UrlVerdict
    from gossamer.reports.crawls.judge_rules import RuleAnswer, RuleQuestion
    from gossamer.web import Web

_MOST_URLS = 100_000
"""So many take a minute or two."""


def read_urls(path: Path) -> list[str]:
    """Return the URLs of a file, one on each line; of standard input for -."""
    from gossamer.cli.input_files import check_readable, read_bytes
    from gossamer.errors import BadInput

    check_readable(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not a text file: write one URL on each line, in UTF-8") from None
    return [line.strip() for line in text.splitlines() if line.strip()]


def judge_urls(
    web: Path, urls: list[str], task: str, matching: str, options: dict[str, Any], json: bool
) -> int:
    """Print the decision for each URL, and what other rules would change."""
    from gossamer.errors import BadInput
    from gossamer.reports.crawls.judge_rules import WrongPattern, judge_rules
    from gossamer.web import open_to_read

    with open_to_read(web) as opened:
        try:
            answer = judge_rules(opened, _make_question(opened, urls, task, matching, options), _MOST_URLS)
        except WrongPattern as error:
            raise BadInput(f"--matching: {error}") from None
    if json:
        _print_json(answer)
    else:
        _print(answer, matching)
    return 0


def _make_question(
    web: "Web", urls: list[str], task: str, matching: str, options: dict[str, Any]
) -> "RuleQuestion":
    """Return the question about the rules of a stored task, or of a task file."""
    from gossamer.config import from_toml, replace_options
    from gossamer.crawl.control.command_mailbox import read_spec
    from gossamer.reports.crawls.judge_rules import RuleQuestion

    if task.endswith(".toml"):
        before, number = from_toml(Path(task)), 0
    else:
        note = web.task(task)
        before, number = read_spec(note), note.number
    return RuleQuestion(before, replace_options(before, **options), urls, matching, number)


def _print_json(answer: "RuleAnswer") -> None:
    from gossamer.cli.output.json_lines import print_json

    for one in answer.verdicts:
        print_json(msgspec.to_builtins(one))


def _print(answer: "RuleAnswer", matching: str) -> None:
    from gossamer.cli.console.show_preview import show_change
    from gossamer.cli.output.tables import clean_text, console, print_table
    from gossamer.cli.output.wording import format_count

    if matching:
        console.print(f"The pattern matches {format_count(answer.matched, 'known URL')}.")
    rows = [
        (clean_text(one.url, 200), _describe_decision(one), clean_text(one.change, 200) or "–")
        for one in answer.verdicts
    ]
    if rows:
        print_table("", ("URL", "decision", "what would have to change"), rows)
    if answer.left_out:
        console.print(f"{answer.left_out:,} more were not judged.")
    if answer.change is not None:
        show_change(answer.change, json=False)


def _describe_decision(one: "UrlVerdict") -> str:
    """Return the rule that decides, what it depends on, what else refuses the URL, and what the task has done with it."""
    from gossamer.cli.output.tables import clean_text
    from gossamer.reports.crawls.judge_rules import describe_rule

    parts = [describe_rule(one.rule) if one.rule else "followed"]
    parts += [clean_text(one.detail, 200)] if one.detail else []
    parts += [f"also {' and '.join(map(describe_rule, one.also))}"] if one.also else []
    parts += [f"by now {one.state}"] if one.state else []
    return "; ".join(parts)
