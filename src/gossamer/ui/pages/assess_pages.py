"""Judging in the browser: samples, one archived page after the other beside its source, and what was found."""

import time
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import read_view
from gossamer.assess.judgements import check_name, delete_sample, get_sample, list_samples, read_judgements
from gossamer.assess.records import Verdict
from gossamer.assess.results.sample_results import compute_results
from gossamer.assess.sample.draw_sample import SampleRequest
from gossamer.assess.sample.start_sample import find_or_draw_sample
from gossamer.assess.sample.strata import GROUPINGS, parse_groupings
from gossamer.errors import BadInput
from gossamer.store.model_folder import topic_names
from gossamer.ui.forms import form_of
from gossamer.ui.page_context import Desk, desk_of
from gossamer.ui.render_template import parameters

_VERDICTS: dict[str, Verdict] = {"relevant": "relevant", "not": "not", "unsure": "unsure"}
_WRONG_USE = 400
_MOST_SKIPPED = 100
_MOST_DIGITS = 10


def overview(request: Request, wrong: str = "") -> Response:
    """List the samples of the web, with a form that draws another one."""
    desk = desk_of(request)
    with desk.web() as web:
        known = [
            (sample, len({one.page for one in read_judgements(web.store, sample.name)}))
            for sample in list_samples(web.store)
        ]
    facts = {"samples": known, "groupings": GROUPINGS, "topics": topic_names(desk.folder), "wrong": wrong}
    return desk.page(request, "assess.html", _WRONG_USE if wrong else 200, **facts)


async def draw_sample(request: Request) -> Response:
    """Draw the sample that the form asks for, and go to it."""
    form = await form_of(request)
    try:
        name = await run_in_threadpool(_drawn, desk_of(request), form)
    except BadInput as error:
        return await run_in_threadpool(overview, request, str(error))
    return RedirectResponse(_address(name, form.get("judge", "")), 303)


def judging(request: Request) -> Response:
    """Show the page that is to be judged next; whoever did not say a name is asked for it."""
    desk, name, judge = desk_of(request), request.path_params["name"], request.query_params.get("judge", "")
    with desk.web() as web:
        sample = get_sample(web.store, name)
        if not judge:
            return desk.page(request, "assess_judge.html", sample=sample)
        session = JudgeSession(web.store, sample, check_name("judge", judge), time.time)
        skipped = _pages(request.query_params.get("skipped", ""))
        for page in skipped:
            session.move_to_end(page)
        for page in _pages(request.query_params.get("first", "")):
            session.move_to_front(page)
        at_hand = web.store.page(session.page) if session.page is not None else None
        facts = read_view(web.folder, at_hand) if at_hand is not None else None
    return desk.page(
        request,
        "assess_page.html",
        session=session,
        counts=session.count_verdicts(),
        page=at_hand,
        facts=facts,
        page_key=_key(session.page or 0),
        skipped=",".join(map(_key, skipped)),
        last=request.query_params.get("last", ""),
        judge=judge,
    )


async def take_verdict(request: Request) -> Response:
    """Do what a button or a key asks for, and go on to the next page."""
    form = await form_of(request)
    address = await run_in_threadpool(_obeyed, desk_of(request), request.path_params["name"], form)
    return RedirectResponse(address, 303)


def found(request: Request) -> Response:
    """Show what the judgements of a sample say."""
    desk, by = desk_of(request), request.query_params.get("by", "")
    with desk.web() as web:
        told = compute_results(web.store, request.path_params["name"], parse_groupings(by) or None)
    return desk.page(request, "assess_results.html", results=told, by=by, groupings=GROUPINGS)


async def forget(request: Request) -> Response:
    """Forget a sample, and go back to the others."""
    await form_of(request)
    await run_in_threadpool(_forgotten, desk_of(request), request.path_params["name"])
    return RedirectResponse("/assess", 303)


def _forgotten(desk: Desk, name: str) -> None:
    with desk.writing, desk.web() as web:
        delete_sample(web.store, name)


def _drawn(desk: Desk, form: dict[str, str]) -> str:
    asked = form.get("sample", "").strip()
    if asked and not (asked.isdecimal() and len(asked) < _MOST_DIGITS and int(asked) > 0):
        raise BadInput(f"{asked[:40]!r} is no number of pages")
    wish = SampleRequest(
        name=check_name("name", form.get("name", "").strip()),
        asked=int(asked) if asked else None,
        by=parse_groupings(form.get("by", "")),
        where=form.get("where", "").strip(),
        topic=form.get("topic", ""),
        chosen="uncertain" if form.get("active") else "random",
    )
    with desk.own_web() as web:
        return find_or_draw_sample(web.store, web.folder, wish, time.time()).name


def _obeyed(desk: Desk, name: str, form: dict[str, str]) -> str:
    """Carry out what was asked for, and return where to go next."""
    judge, asked = check_name("judge", form.get("judge", "")), form.get("act", "")
    page, skipped = _pages(form.get("page", "")), _pages(form.get("skipped", ""))
    # A judgement gets the next number of its judge: two windows of one judge must not take the same.
    with desk.writing, desk.web() as web:
        session = JudgeSession(web.store, get_sample(web.store, name), judge, time.time)
        if asked == "undo" and form.get("last") == "skip":
            return _address(name, judge, skipped[:-1], first=skipped[-1:])
        if asked == "undo":
            went_back = session.undo()
            return _address(name, judge, skipped, first=[session.page or 0] if went_back else page)
        for one in page:
            session.move_to_front(one)
        # What another window has judged meanwhile is not judged again.
        is_at_hand = page == [session.page]
        if asked in _VERDICTS and is_at_hand:
            session.record_verdict(_VERDICTS[asked])
    if asked == "skip" and is_at_hand:
        others = [one for one in skipped if one not in page]
        return _address(name, judge, [*others, *page], last="skip")
    return _address(name, judge, skipped)


def _address(
    name: str, judge: str, skipped: list[int] | None = None, first: list[int] | None = None, last: str = ""
) -> str:
    """Return where a judge goes on: past what was skipped, and with a way back."""
    told: dict[str, Any] = {
        "judge": judge,
        "skipped": ",".join(map(_key, (skipped or [])[-_MOST_SKIPPED:])),
        "first": ",".join(map(_key, first or [])),
        "last": last,
    }
    return f"/assess/{quote(name)}?{parameters(told)}"


def _key(page: int) -> str:
    """Return a page id as forms and addresses carry it."""
    return f"{page & (1 << 64) - 1:x}"


def _pages(told: str) -> list[int]:
    """Read page ids; what is none is left out."""
    numbers = [int(key, 16) for key in told.split(",")[:_MOST_SKIPPED] if _is_key(key)]
    return [number - (1 << 64) if number >> 63 else number for number in numbers]


def _is_key(told: str) -> bool:
    return 0 < len(told) <= 16 and all(character in "0123456789abcdef" for character in told)


ROUTES = (
    Route("/assess", overview),
    Route("/assess", draw_sample, methods=["POST"]),
    Route("/assess/{name}", judging),
    Route("/assess/{name}", take_verdict, methods=["POST"]),
    Route("/assess/{name}/results", found),
    Route("/assess/{name}/forget", forget, methods=["POST"]),
)
