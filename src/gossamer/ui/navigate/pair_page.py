"""The page on which a person agrees to pair a browser, after comparing codes, or revokes one."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.ui.access.authenticator import Authenticator
from gossamer.ui.access.paired_request import get_browsers
from gossamer.ui.access.visitor import get_user
from gossamer.ui.forms import read_form
from gossamer.ui.page_context import get_context

_WRONG_USE = 400


def show_browsers(request: Request) -> Response:
    """Show the browser that asks to be paired, and those that are."""
    return _render(request, request.query_params.get("code", ""))


async def agree(request: Request) -> Response:
    """Pair the browser whose code was shown, or revoke one."""
    form = await read_form(request)
    browsers, user = get_browsers(request), get_user(request)
    authenticator: Authenticator = request.app.state.authenticator
    try:
        if number := form.get("revoke", ""):
            own = [one for one in browsers.list_browsers() if one.number == number and one.user == user.name]
            await run_in_threadpool(browsers.revoke, own[0].number if own else "")
            return RedirectResponse("/pair", 303)
        browser = await run_in_threadpool(
            browsers.agree, form.get("code", ""), user.name, authenticator.prove_pairing
        )
    except BadInput as error:
        return await run_in_threadpool(_render, request, "", str(error))
    return await run_in_threadpool(_render, request, "", "", browser.name)


def _render(request: Request, code: str, wrong: str = "", paired: str = "") -> Response:
    browsers, user = get_browsers(request), get_user(request)
    pairing = browsers.find_open(code) if code else None
    if code and pairing is None and not wrong:
        wrong = "No browser waits with this code any more; press “Pair” in the extension again."
    return get_context(request).render_page(
        request,
        "navigate/pair.html",
        _WRONG_USE if wrong else 200,
        pairing=pairing,
        wrong=wrong,
        paired=paired,
        browsers=[one for one in browsers.list_browsers() if one.user == user.name],
    )


ROUTES = (Route("/pair", show_browsers), Route("/pair", agree, methods=["POST"]))
