"""Judge URLs and the matches of a pattern by the rules of a task, before a crawl meets them."""

from collections.abc import Sequence

import msgspec

from gossamer.config import TaskSpec
from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.explain.judge_urls import UrlJudge, UrlVerdict
from gossamer.crawl.explain.known_links import read_learnt_rules
from gossamer.crawl.explain.preview_rules import UNREACHED, ChangePreview
from gossamer.crawl.patterns.try_patterns import list_patterns
from gossamer.errors import BadInput, GossamerError
from gossamer.net.url.url_pattern import compile_pattern
from gossamer.reports.crawls.preview_task import PREVIEWER, list_seeds
from gossamer.task_file import list_options
from gossamer.web import Web

MOST_URLS = 200
"""How many URLs a page judges; each needs some look-ups."""
_LONGEST_PATTERN = 1_000
_UNREACHED = "no known link leads there on a path that is followed"


class RuleQuestion(msgspec.Struct, frozen=True):
    """What is asked about the rules of a task."""

    before: TaskSpec
    """The rules that the task has."""
    spec: TaskSpec
    """The rules to judge by: those of the task, or others that are tried."""
    urls: Sequence[str]
    """As they were typed."""
    pattern: str = ""
    """The known URLs that it matches are judged as well."""
    task: int = 0
    """The number of the task; 0 if there is none yet."""


class RuleAnswer(msgspec.Struct, frozen=True):
    """What the rules say."""

    verdicts: list[UrlVerdict]
    matched: int
    """How many known URLs the pattern matches."""
    left_out: int
    """URLs that were not judged, since there are too many."""
    change: ChangePreview | None
    """What the other rules would change; None if they are those of the task."""


class WrongPattern(BadInput):
    """A pattern that cannot be used."""


def judge_rules(web: Web, asked: RuleQuestion, most: int = MOST_URLS) -> RuleAnswer:
    """Judge URLs by rules; raise SlowPattern for a pattern that takes too long, and WrongPattern for one that is none."""
    for rules in (asked.spec, asked.before):
        PREVIEWER.check_patterns(web, list_patterns(rules), asked.urls[:most])
    matched = find_matches(web, asked.pattern)
    wanted = list(dict.fromkeys([*asked.urls, *matched]))
    judge = UrlJudge(web.store, read_learnt_rules(web.store), asked.spec, list_seeds(asked.spec), asked.task)
    is_changed = bool(list_options(asked.spec, asked.before))
    change = PREVIEWER.preview_change(web, asked.before, asked.spec) if is_changed else None
    return RuleAnswer(judge.judge_all(wanted[:most]), len(matched), len(wanted[most:]), change)


def find_matches(web: Web, pattern: str) -> list[str]:
    """Return the known URLs that a pattern matches; of a large web those of a sample."""
    if not pattern:
        return []
    try:
        if len(pattern) > _LONGEST_PATTERN:
            raise BadInput(f"the pattern is too long: at most {_LONGEST_PATTERN:,} characters are accepted")
        compiled = compile_pattern(pattern)
    except GossamerError as error:
        raise WrongPattern(str(error)) from None
    PREVIEWER.check_patterns(web, {"pattern": [pattern]})
    return [url for url in PREVIEWER.list_known(web).urls if compiled.search(url)]


def describe_rule(rule: str) -> str:
    """Return a description of the rule that refuses a URL."""
    return _UNREACHED if rule == UNREACHED else describe_cause(rule)
