"""The JSON API of assessments: draw samples, judge them, and see what was found, as `gossamer assess` does."""

import time

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import JudgeView, read_view
from gossamer.assess.judgements import check_name, delete_sample, get_sample
from gossamer.assess.results import sample_results as found
from gossamer.assess.sample.draw_sample import SampleRequest
from gossamer.assess.sample.start_sample import find_or_draw_sample
from gossamer.assess.sample.strata import parse_groupings
from gossamer.errors import BadInput
from gossamer.search.links.page_neighbours import find_page
from gossamer.ui.api import assess_records as records
from gossamer.ui.api.json_io import answer, asked, sent
from gossamer.ui.page_context import Desk, desk_of
from gossamer.web import Web


def samples(request: Request) -> Response:
    """List the samples of the web."""
    with desk_of(request).web() as web:
        return answer(records.Samples(tuple(found.list_progress(web.store))))


async def draw(request: Request) -> Response:
    """Draw a sample, or go on with the one of this name."""
    wish = await sent(request, records.Draw)
    return await run_in_threadpool(_drawn, desk_of(request), wish)


def next_page(request: Request) -> Response:
    """Tell which page a judge is to judge next, and show it."""
    wish = asked(request.query_params, records.JudgeAsked)
    with desk_of(request).web() as web:
        session = _session(web, wish.name, wish.judge)
        return answer(records.Next(session.pages, session.left, _shown(web, session)))


async def judge(request: Request) -> Response:
    """Take a judgement."""
    said = await sent(request, records.Judged)
    return await run_in_threadpool(_judged, desk_of(request), said)


def results(request: Request) -> Response:
    """Tell what the judgements of a sample say."""
    wish = asked(request.query_params, records.ResultsAsked)
    with desk_of(request).web() as web:
        return answer(
            found.to_report(
                found.compute_results(web.store, wish.name, parse_groupings(wish.by) or None, wish.judge)
            )
        )


async def forget(request: Request) -> Response:
    """Forget a sample, and all that was said of it."""
    wish = await sent(request, records.Forget)
    return await run_in_threadpool(_forgotten, desk_of(request), wish.name)


def _drawn(desk: Desk, told: records.Draw) -> Response:
    wish = SampleRequest(
        name=check_name("name", told.name),
        asked=told.sample,
        seed=told.seed,
        by=parse_groupings(told.by),
        where=told.where,
        topic=told.topic,
        chosen="uncertain" if told.active else "random",
    )
    with desk.own_web() as web:
        sample = find_or_draw_sample(web.store, web.folder, wish, time.time())
        return answer(found.summarize_sample(sample))


def _judged(desk: Desk, said: records.Judged) -> Response:
    with desk.writing, desk.web() as web:
        session = _session(web, said.name, said.judge)
        page = find_page(web.store, said.url)
        if not session.select_page(page):
            raise BadInput(f"{said.url[:200]!r} is not in the sample {said.name!r}")
        session.record_verdict(said.verdict)
        return answer(records.Left(session.pages, session.left))


def _forgotten(desk: Desk, name: str) -> Response:
    with desk.writing, desk.web() as web:
        return answer(records.Forgotten(name, delete_sample(web.store, name)))


def _session(web: Web, name: str, judge: str) -> JudgeSession:
    return JudgeSession(web.store, get_sample(web.store, name), check_name("judge", judge), time.time)


def _shown(web: Web, session: JudgeSession) -> JudgeView | None:
    """Show the next page that is still in the collection."""
    for _ in range(session.left):
        page = web.store.page(session.page) if session.page is not None else None
        if page is not None:
            told = read_view(web.folder, page)
            return told if page.archive else msgspec.structs.replace(told, text="", source="")
        session.skip()
    return None


ROUTES = (
    Route("/api/assess/samples", samples),
    Route("/api/assess/draw", draw, methods=["POST"]),
    Route("/api/assess/next", next_page),
    Route("/api/assess/judge", judge, methods=["POST"]),
    Route("/api/assess/results", results),
    Route("/api/assess/forget", forget, methods=["POST"]),
)
