"""The Model Context Protocol over HTTP: one address to which each message is posted, and answered as JSON.

The server keeps no sessions and sends no messages of its own, so that there is no stream to open with GET.
Source: Model Context Protocol, revisions 2025-06-18 and 2026-07-28, Streamable HTTP.
"""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gossamer.errors import BadInput
from gossamer.mcp.json_rpc import (
    HEADER_MISMATCH,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    Message,
    RpcError,
    read_message,
    write_error,
)
from gossamer.mcp.protocol import OLD_VERSIONS, VERSIONS, answer_message, get_version
from gossamer.ui.forms import has_json, read_body
from gossamer.ui.page_context import get_context

_OK, _ACCEPTED, _WRONG_USE, _NOT_THERE, _NOT_ALLOWED, _WRONG_TYPE = 200, 202, 400, 404, 405, 415
# Since 2026-07-28, errors of the protocol also show in the status; before, only what is no message did.
_STATUS = {METHOD_NOT_FOUND: _NOT_THERE, HEADER_MISMATCH: _WRONG_USE, UNSUPPORTED_VERSION: _WRONG_USE}
_ALWAYS = {PARSE_ERROR: _WRONG_USE, INVALID_REQUEST: _WRONG_USE}


async def answer_post(request: Request) -> Response:
    """Answer one message."""
    if not has_json(request):
        error = RpcError(INVALID_REQUEST, "Send one message as JSON, with Content-Type: application/json.")
        return _send(write_error(error), _WRONG_TYPE)
    is_new = request.headers.get("mcp-protocol-version") not in (None, *OLD_VERSIONS)
    try:
        message = read_message(await read_body(request))
        is_new = is_new or bool(get_version(message))
        _check_headers(request.headers, message)
        context = get_context(request)
        answer = await context.run_costly(answer_message, message, context.borrow_searcher)
    except BadInput as error:
        return _send(write_error(RpcError(INVALID_REQUEST, f"{error}")), _WRONG_USE)
    except RpcError as error:
        return _send(write_error(error), (_ALWAYS | (_STATUS if is_new else {})).get(error.code, _OK))
    return Response(status_code=_ACCEPTED) if answer is None else _send(answer, _OK)


async def refuse_stream(_: Request) -> Response:
    """Say that there is no stream and no session."""
    error = RpcError(INVALID_REQUEST, "Post messages to this address; there are no streams and no sessions.")
    return Response(write_error(error), _NOT_ALLOWED, {"allow": "POST"}, media_type="application/json")


def _check_headers(headers: Mapping[str, str], message: Message) -> None:
    """Raise RpcError if the headers name another revision, method or tool than the message."""
    named = headers.get("mcp-protocol-version")
    if named is not None and named not in VERSIONS:
        data = {"supported": list(VERSIONS), "requested": named[:100]}
        raise RpcError(
            UNSUPPORTED_VERSION, "This revision of the protocol is not supported.", data, message.id
        )
    version = get_version(message)
    pairs = [(version or named, named), (message.method, headers.get("mcp-method", message.method))]
    if message.method == "tools/call":
        name = message.params.get("name")
        pairs.append((name, headers.get("mcp-name", name)))
    if any(one != other for one, other in pairs):
        raise RpcError(HEADER_MISMATCH, "The headers do not match the message.", request=message.id)


def _send(body: bytes, status: int) -> Response:
    return Response(body, status, media_type="application/json")


ROUTES = (
    Route("/mcp", answer_post, methods=["POST"]),
    Route("/mcp", refuse_stream, methods=["GET"]),
)
