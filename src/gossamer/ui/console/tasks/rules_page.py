"""The page of rules: which rule decides for URLs or for what a pattern matches, and what other rules would change."""

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.config import TaskSpec
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.control.submit_pages import select_crawls
from gossamer.crawl.describe_cause import describe_cause
from gossamer.crawl.explain.judge_urls import UrlVerdict
from gossamer.crawl.explain.preview_rules import ChangePreview
from gossamer.crawl.patterns.try_patterns import SlowPattern
from gossamer.crawl.rule_names import RULE_OPTIONS
from gossamer.crawl.steer.command_lines import make_change_command, make_command
from gossamer.errors import GossamerError
from gossamer.reports.crawls.judge_rules import MOST_URLS, RuleQuestion, WrongPattern, judge_rules
from gossamer.store.batch import TaskNote
from gossamer.task_file import list_options, make_arguments, make_pair
from gossamer.ui.console.tasks.steer_tasks import find_task
from gossamer.ui.console.tasks.task_form import make_fields, parse_task, type_options
from gossamer.ui.console.tasks.task_pages import render_console
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web

_WRONG_USE = 400


class _Asked(msgspec.Struct, frozen=True):
    """What was asked, and the answer."""

    typed: dict[str, str]
    errors: dict[str, str] = {}
    verdicts: list[UrlVerdict] = []
    matched: int = 0
    """How many known URLs the pattern matches."""
    left_out: int = 0
    """URLs that were not judged, since there are too many."""
    change: ChangePreview | None = None
    command: str = ""
    explain_command: str = ""


def show_form(request: Request) -> Response:
    """Show the form, with the rules of a task: the newest, or the one of the address."""
    context = get_context(request)
    with context.borrow_web() as web:
        try:
            note = _find_task(web, request.query_params.get("task", ""))
        except GossamerError as error:
            return _render(
                request, _Asked({"urls": request.query_params.get("urls", "")}, {"task": str(error)})
            )
        typed = type_options(read_spec(note) if note else TaskSpec(), RULE_OPTIONS)
    typed |= {"task": str(note.number) if note else "", "urls": request.query_params.get("urls", "")}
    return _render(request, _Asked(typed))


async def take_form(request: Request) -> Response:
    """Judge what was asked for."""
    form = await read_form(request)
    context = get_context(request)
    asked = await context.run_costly(_judge, context, form)
    return await run_in_threadpool(_render, request, asked, _WRONG_USE if asked.errors else 200)


def _judge(context: PageContext, form: Mapping[str, str]) -> _Asked:
    typed = {name: form[name] for name in (*RULE_OPTIONS, "task", "urls", "pattern") if name in form}
    with context.borrow_web() as web:
        try:
            note = _find_task(web, typed.get("task", ""))
        except GossamerError as error:
            return _Asked(typed, {"task": str(error)})
        before = read_spec(note) if note else TaskSpec(seeds=("https://www.example.org/",))
        if form.get("do") == "load":
            return _Asked({**typed, **_reset_rules(typed, before)})
        parsed = parse_task(typed, RULE_OPTIONS, before, web.folder)
        if parsed.spec is None:
            return _Asked(typed, parsed.errors)
        try:
            return _answer(web, note, before, parsed.spec, typed)
        except WrongPattern as error:
            return _Asked(typed, {"pattern": str(error)})
        except SlowPattern as error:
            return _Asked(typed, {error.option: str(error)})
        except GossamerError as error:
            return _Asked(typed, {"": str(error)})


def _answer(
    web: Web, note: TaskNote | None, before: TaskSpec, spec: TaskSpec, typed: Mapping[str, str]
) -> _Asked:
    lines = [line.strip() for line in typed.get("urls", "").splitlines() if line.strip()]
    number = note.number if note else 0
    question = RuleQuestion(before, spec, lines, typed.get("pattern", "").strip(), number)
    found = judge_rules(web, question)
    options = list_options(spec, before)
    return _Asked(
        dict(typed),
        verdicts=found.verdicts,
        matched=found.matched,
        left_out=found.left_out,
        change=found.change,
        command=make_change_command(web.folder, number, options) if options and number else "",
        explain_command=_make_explain_command(web, question, options),
    )


def _make_explain_command(web: Web, asked: RuleQuestion, options: Mapping[str, Any]) -> str:
    """Return the command that judges the same URLs by the same rules; "" without a task or anything to judge."""
    given = make_pair("--matching", asked.pattern) if asked.pattern else []
    named = [
        url for url in asked.urls[:MOST_URLS] if not url.startswith("-")
    ]  # others are no URLs, but options
    if not asked.task or not (named or asked.pattern):
        return ""
    return make_command(
        web.folder,
        "explain",
        *named,
        "--rules",
        str(asked.task),
        *given,
        *make_arguments(options),
    )


def _reset_rules(typed: Mapping[str, str], spec: TaskSpec) -> dict[str, str]:
    """Return the rules of a task in place of those that were typed."""
    return {name: "" for name in RULE_OPTIONS if name in typed} | type_options(spec, RULE_OPTIONS)


def _find_task(web: Web, number: str) -> TaskNote | None:
    """Return the task with a number, by default the newest that crawls; None if there is none."""
    if number:
        return find_task(web, number)
    crawls = select_crawls(web.tasks())
    return crawls[-1] if crawls else None


def _render(request: Request, asked: _Asked, status: int = 200) -> Response:
    context = get_context(request)
    with context.borrow_web() as web:
        tasks = [(note.number, note.name) for note in reversed(select_crawls(web.tasks()))]
    facts: dict[str, Any] = {
        "fields": make_fields(RULE_OPTIONS, asked.typed, asked.errors),
        "asked": asked,
        "tasks": tasks,
        "errors": asked.errors,
        "change": asked.change,
        "command": asked.command,
        "nothing": False,
        "describe_cause": describe_cause,
        "rules": RULE_OPTIONS,
    }
    return render_console(context, request, "console/rules.html", status, **facts)


ROUTES = (
    Route("/console/rules", show_form),
    Route("/console/rules", take_form, methods=["POST"]),
)
