"""Checks HTML and Markdown files on disk by the rules for the pages of a site: what they refer to, and the pages themselves."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gossamer.link_check.check_options import CheckOptions
from gossamer.link_check.files.ask_urls import AskUrls
from gossamer.link_check.files.file_outcomes import FileOutcomes
from gossamer.link_check.files.file_tree import FileTree
from gossamer.link_check.files.judge_files import FileJudge
from gossamer.link_check.files.read_files import FileFacts
from gossamer.link_check.judge_pages import merge_problems
from gossamer.link_check.problem import CheckResult
from gossamer.link_check.read_links import ANCHORED, PAGE, LinkSurvey, survey_links
from gossamer.net.url.url_pattern import compile_pattern


def check_files(
    paths: Sequence[Path], options: CheckOptions, ask: AskUrls | None, now_s: float = 0.0
) -> CheckResult:
    """Check files; without `ask`, links to the web are left out."""
    tree = FileTree(paths, options.published)
    facts = FileFacts(tree)
    facts.read_all()
    sources = np.array(sorted(facts.sources), np.int64)
    survey = survey_links(facts, sources, options)
    outcomes = FileOutcomes(tree, facts)
    if not options.requisites:
        outcomes.leave_out(survey.targets[(survey.uses & PAGE) == 0])
    names = _ask_web(survey, facts, outcomes, ask, options) if ask is not None else {}
    for page in survey.find_used(ANCHORED).tolist():
        if (path := outcomes.find_file(outcomes.find(page).final)) is not None:
            facts.read_fragments(path)
    survey = survey_links(facts, sources, options)  # with the fragments that are known now
    judge = FileJudge(tree, facts, survey, outcomes)
    problems = list(judge.judge(names))
    problems += judge.judge_orphans(
        [compile_pattern(one, "include") for one in options.include],
        [compile_pattern(one, "exclude") for one in options.exclude],
    )
    kept = [one for one in merge_problems(problems) if one.problem not in options.skip]
    return CheckResult(kept, survey.addresses, len(tree.files), survey.links, now_s)


def _ask_web(
    survey: LinkSurvey, facts: FileFacts, outcomes: FileOutcomes, ask: AskUrls, options: CheckOptions
) -> dict[int, str]:
    """Ask for the addresses of the web; return the addresses that redirects lead to."""
    wanted = survey.targets if options.requisites else survey.find_used(PAGE)
    found = {page: url for page, url in facts.real_urls(wanted.tolist()).items() if outcomes.find_file(page) is None}  # fmt: skip
    if not found:
        return {}
    anchored = {found[page] for page in survey.find_used(ANCHORED).tolist() if page in found}
    answers = ask(sorted(found.values()), anchored)
    outcomes.take_answers(answers)
    return answers.urls
