"""Pages for assessment: list samples, judge archived pages one by one beside their source, and show results."""

import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import read_view
from gossamer.assess.judgements import (
    check_name,
    check_question,
    delete_sample,
    get_question,
    get_sample,
    list_samples,
    read_judgements,
)
from gossamer.assess.records import Verdict
from gossamer.assess.results.sample_results import compute_results
from gossamer.assess.sample.draw_sample import SampleRequest
from gossamer.assess.sample.start_sample import find_or_draw_sample
from gossamer.assess.sample.strata import GROUPINGS, parse_groupings
from gossamer.errors import BadInput
from gossamer.store.model_folder import topic_names
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import PageContext, get_context
from gossamer.ui.pages.page_picture import find_pictured
from gossamer.ui.render_template import encode_parameters

_VERDICTS: dict[str, Verdict] = {"relevant": "relevant", "not": "not", "unsure": "unsure"}
_WRONG_USE = 400
_MOST_SKIPPED = 100
_MOST_DIGITS = 10
_LABELS = {
    "name": "“Sample name”",
    "question": "“Question for the judges”",
    "by": "“Split by”",
    "sample": "“Sample size”",
    "where": "“Filter”",
    "topic": "“Relevance according to”",
    "active": "“Choose the pages whose relevance is least certain”",
}
"""By option of the command line, which errors name: the label of its field in the form."""
_OPTION = re.compile(rf"--({'|'.join(_LABELS)})\b")
_SPLIT_WORDS = {
    "depth": "depth (links from a start page)",
    "order": "order (in which the crawl chose links)",
    "relevance": "relevance (as a topic rates it)",
}
_SPLITS = {grouping: _SPLIT_WORDS.get(grouping, grouping) for grouping in GROUPINGS}
"""By grouping: its name in the form."""


def show_samples(request: Request, wrong: str = "", form: Mapping[str, str] | None = None) -> Response:
    """List the samples of the web, with a form to draw another one; a form that was refused is shown again."""
    context = get_context(request)
    with context.borrow_web() as web:
        known = [
            (sample, len({one.page for one in read_judgements(web.store, sample.name)}))
            for sample in list_samples(web.store)
        ]
        examples = web.example_queries()
    facts = {
        "samples": known,
        "groupings": _SPLITS,
        "topics": topic_names(context.folder),
        "wrong": _OPTION.sub(lambda option: _LABELS[option[1]], wrong),
        "form": dict.fromkeys(_LABELS, "") | dict(form or {}),
        "examples": examples,
    }
    return context.render_page(request, "assess.html", _WRONG_USE if wrong else 200, **facts)


async def draw_sample(request: Request) -> Response:
    """Draw a sample as the form says, and go to it."""
    form = await read_form(request)
    try:
        name = await get_context(request).run_costly(_draw, get_context(request), form)
    except BadInput as error:
        return await run_in_threadpool(show_samples, request, str(error), form)
    return RedirectResponse(_make_address(name, form.get("judge", "")), 303)


def show_next(request: Request) -> Response:
    """Show the next page to judge; ask for the judge's name first."""
    context = get_context(request)
    name, judge = request.path_params["name"], request.query_params.get("judge", "")
    with context.borrow_web() as web:
        sample = get_sample(web.store, name)
        if not judge:
            return context.render_page(
                request, "assess_judge.html", sample=sample, question=get_question(sample)
            )
        session = JudgeSession(web.store, sample, check_name("judge", judge), time.time)
        skipped = _parse_keys(request.query_params.get("skipped", ""))
        for one in skipped:
            session.move_to_end(one)
        for one in _parse_keys(request.query_params.get("first", "")):
            session.move_to_front(one)
        page = web.store.page(session.page) if session.page is not None else None
        facts = read_view(web.folder, page) if page is not None else None
        pictured = find_pictured(web, [page.url]) if page is not None else set()
    return context.render_page(
        request,
        "assess_page.html",
        session=session,
        counts=session.count_verdicts(),
        page=page,
        facts=facts,
        pictured=pictured,
        page_key=_format_key(session.page or 0),
        skipped=",".join(map(_format_key, skipped)),
        last=request.query_params.get("last", ""),
        judge=judge,
        question=get_question(sample),
    )


async def take_verdict(request: Request) -> Response:
    """Carry out the action of a button or key, and go to the next page."""
    form = await read_form(request)
    address = await run_in_threadpool(_carry_out, get_context(request), request.path_params["name"], form)
    return RedirectResponse(address, 303)


def show_results(request: Request) -> Response:
    """Show the results of a sample."""
    context, by = get_context(request), request.query_params.get("by", "")
    with context.borrow_web() as web:
        found = compute_results(web.store, request.path_params["name"], parse_groupings(by) or None)
    return context.render_page(request, "assess_results.html", results=found, by=by, groupings=_SPLITS)


async def forget(request: Request) -> Response:
    """Delete a sample, and go back to the list."""
    await read_form(request)
    await run_in_threadpool(_delete_sample, get_context(request), request.path_params["name"])
    return RedirectResponse("/assess", 303)


def _delete_sample(context: PageContext, name: str) -> None:
    with context.write_lock, context.borrow_web() as web:
        delete_sample(web.store, name)


def _draw(context: PageContext, form: dict[str, str]) -> str:
    number = form.get("sample", "").strip()
    if number and not (number.isdecimal() and len(number) < _MOST_DIGITS and int(number) > 0):
        raise BadInput(f"--sample: {number[:40]!r} is not a number of pages")
    wanted_sample = SampleRequest(
        name=check_name("--name", form.get("name", "").strip()),
        asked=int(number) if number else None,
        by=parse_groupings(form.get("by", "")),
        where=form.get("where", "").strip(),
        topic=form.get("topic", ""),
        chosen="uncertain" if form.get("active") else "random",
        question=check_question(form.get("question", "")),
    )
    with context.open_web() as web:
        return find_or_draw_sample(web.store, web.folder, wanted_sample, time.time()).name


def _carry_out(context: PageContext, name: str, form: dict[str, str]) -> str:
    """Carry out an action, and return the address of the next page."""
    judge, action = check_name("judge", form.get("judge", "")), form.get("act", "")
    page, skipped = _parse_keys(form.get("page", "")), _parse_keys(form.get("skipped", ""))
    # A judgement gets the next number of its judge: two windows of one judge must not use the same.
    with context.write_lock, context.borrow_web() as web:
        session = JudgeSession(web.store, get_sample(web.store, name), judge, time.time)
        if action == "undo" and form.get("last") == "skip":
            return _make_address(name, judge, skipped[:-1], first=skipped[-1:])
        if action == "undo":
            went_back = session.undo()
            return _make_address(name, judge, skipped, first=[session.page or 0] if went_back else page)
        for one in page:
            session.move_to_front(one)
        # A page that was judged in another window meanwhile is not judged again.
        is_current = page == [session.page]
        if action in _VERDICTS and is_current:
            session.record_verdict(_VERDICTS[action])
    if action == "skip" and is_current:
        others = [one for one in skipped if one not in page]
        return _make_address(name, judge, [*others, *page], last="skip")
    return _make_address(name, judge, skipped)


def _make_address(
    name: str, judge: str, skipped: list[int] | None = None, first: list[int] | None = None, last: str = ""
) -> str:
    """Return the address of the next page of a judge, with the skipped pages, so that skipping can be undone."""
    fields: dict[str, Any] = {
        "judge": judge,
        "skipped": ",".join(map(_format_key, (skipped or [])[-_MOST_SKIPPED:])),
        "first": ",".join(map(_format_key, first or [])),
        "last": last,
    }
    return f"/assess/{quote(name)}?{encode_parameters(fields)}"


def _format_key(page: int) -> str:
    """Return a page id as it is written in forms and addresses."""
    return f"{page & (1 << 64) - 1:x}"


def _parse_keys(text: str) -> list[int]:
    """Read page ids, without those that are invalid."""
    numbers = [int(key, 16) for key in text.split(",")[:_MOST_SKIPPED] if _is_key(key)]
    return [number - (1 << 64) if number >> 63 else number for number in numbers]


def _is_key(text: str) -> bool:
    return 0 < len(text) <= 16 and all(character in "0123456789abcdef" for character in text)


ROUTES = (
    Route("/assess", show_samples),
    Route("/assess", draw_sample, methods=["POST"]),
    Route("/assess/{name}", show_next),
    Route("/assess/{name}", take_verdict, methods=["POST"]),
    Route("/assess/{name}/results", show_results),
    Route("/assess/{name}/forget", forget, methods=["POST"]),
)
