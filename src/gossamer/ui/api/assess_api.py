"""The JSON API of assessments: draw samples, judge pages and read results, as `gossamer assess` does."""

import time

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import JudgeView, read_view
from gossamer.assess.judgements import check_name, check_question, delete_sample, get_question, get_sample
from gossamer.assess.results import sample_results
from gossamer.assess.sample.draw_sample import SampleRequest
from gossamer.assess.sample.start_sample import find_or_draw_sample
from gossamer.assess.sample.strata import parse_groupings
from gossamer.errors import BadInput
from gossamer.search.links.page_neighbours import find_page
from gossamer.ui.api import assess_records as records
from gossamer.ui.api.json_io import make_response, read_json, read_parameters
from gossamer.ui.page_context import PageContext, get_context
from gossamer.web import Web


def list_samples(request: Request) -> Response:
    """List the samples of the web."""
    with get_context(request).borrow_web() as web:
        return make_response(records.SampleList(tuple(sample_results.list_progress(web.store))))


async def draw(request: Request) -> Response:
    """Draw a sample, or return the existing one of this name."""
    wanted = await read_json(request, records.DrawRequest)
    return await get_context(request).run_costly(_draw_sample, get_context(request), wanted)


def show_next(request: Request) -> Response:
    """Show the next page to judge."""
    parameters = read_parameters(request.query_params, records.JudgeParameters)
    with get_context(request).borrow_web() as web:
        session = _open_session(web, parameters.name, parameters.judge)
        page = _show_page(web, session)
        question = get_question(session.sample)
        return make_response(records.NextPage(session.pages, session.left, question, page))


async def judge(request: Request) -> Response:
    """Record a judgement."""
    judgement = await read_json(request, records.JudgementRequest)
    return await run_in_threadpool(_record_judgement, get_context(request), judgement)


def show_results(request: Request) -> Response:
    """Show the results of a sample."""
    parameters = read_parameters(request.query_params, records.ResultsParameters)
    with get_context(request).borrow_web() as web:
        by = parse_groupings(parameters.by) or None
        found = sample_results.compute_results(web.store, parameters.name, by, parameters.judge)
        return make_response(sample_results.to_report(found))


async def forget(request: Request) -> Response:
    """Delete a sample and its judgements."""
    wanted = await read_json(request, records.ForgetRequest)
    return await run_in_threadpool(_delete_sample, get_context(request), wanted.name)


def _draw_sample(context: PageContext, wanted: records.DrawRequest) -> Response:
    wanted_sample = SampleRequest(
        name=check_name("name", wanted.name),
        asked=wanted.sample,
        seed=wanted.seed,
        by=parse_groupings(wanted.by),
        where=wanted.where,
        topic=wanted.topic,
        chosen="uncertain" if wanted.active else "random",
        question=check_question(wanted.question),
    )
    with context.open_web() as web:
        sample = find_or_draw_sample(web.store, web.folder, wanted_sample, time.time())
        return make_response(sample_results.summarize_sample(sample))


def _record_judgement(context: PageContext, judgement: records.JudgementRequest) -> Response:
    with context.write_lock, context.borrow_web() as web:
        session = _open_session(web, judgement.name, judgement.judge)
        page = find_page(web.store, judgement.url)
        if not session.select_page(page):
            raise BadInput(f"{judgement.url[:200]!r} is not in the sample {judgement.name!r}")
        session.record_verdict(judgement.verdict)
        return make_response(records.JudgeProgress(session.pages, session.left))


def _delete_sample(context: PageContext, name: str) -> Response:
    with context.write_lock, context.borrow_web() as web:
        return make_response(records.ForgetResult(name, delete_sample(web.store, name)))


def _open_session(web: Web, name: str, judge: str) -> JudgeSession:
    return JudgeSession(web.store, get_sample(web.store, name), check_name("judge", judge), time.time)


def _show_page(web: Web, session: JudgeSession) -> JudgeView | None:
    """Return the next page that is still in the web; None if there is none."""
    for _ in range(session.left):
        page = web.store.page(session.page) if session.page is not None else None
        if page is not None:
            view = read_view(web.folder, page)
            return view if page.archive else msgspec.structs.replace(view, text="", source="")
        session.skip()
    return None


ROUTES = (
    Route("/api/assess/samples", list_samples),
    Route("/api/assess/draw", draw, methods=["POST"]),
    Route("/api/assess/next", show_next),
    Route("/api/assess/judge", judge, methods=["POST"]),
    Route("/api/assess/results", show_results),
    Route("/api/assess/forget", forget, methods=["POST"]),
)
