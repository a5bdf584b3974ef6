"""Answer requests that failed: a page for people, JSON for programs, one sentence for both."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gossamer.errors import BadInput, BadUrl, NoIndex
from gossamer.ui.access.visitor import is_for_programs
from gossamer.ui.page_context import get_context

_SENTENCES = {404: "There is no such page here.", 405: "This address does not accept that request."}
_HEADINGS = {
    400: "Please check your request",
    404: "Page not found",
    405: "Request not accepted",
    500: "Something went wrong",
}
_WRONG_USE, _FAILED = 400, 500


def answer_error(request: Request, error: Exception) -> Response:
    """Answer with the message of one of our errors."""
    heading = "No index yet" if isinstance(error, NoIndex) else ""
    status = _WRONG_USE if isinstance(error, BadInput | BadUrl) else _FAILED
    return _answer_sentence(request, str(error), status, heading)


def answer_http_error(request: Request, error: Exception) -> Response:
    """Answer with the sentence of a status, such as 404."""
    status = error.status_code if isinstance(error, HTTPException) else _FAILED
    return _answer_sentence(request, _SENTENCES.get(status, "This request cannot be answered."), status)


def answer_bug(request: Request, _: Exception) -> Response:
    """Answer without details; the server logs them."""
    return _answer_sentence(request, "This is a bug in Gossamer; the server's log has the details.", _FAILED)


def _answer_sentence(request: Request, sentence: str, status: int, heading: str = "") -> Response:
    if is_for_programs(request.scope["path"]):
        return JSONResponse({"error": sentence}, status)
    whole = f"{sentence[:1].upper()}{sentence[1:].rstrip('.')}."
    return get_context(request).render_page(
        request,
        "sentence.html",
        status,
        title=heading or _HEADINGS.get(status, "Something went wrong"),
        sentence=whole,
    )
