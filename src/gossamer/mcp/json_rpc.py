"""Read and write messages of JSON-RPC 2.0, and the errors that may be in them."""

from typing import Any

import msgspec

MOST_BYTES = 100_000
"""Of one message; a question is short."""
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022

RequestId = str | int | None


class RpcError(Exception):
    """A request that cannot be answered, and why."""

    def __init__(self, code: int, message: str, data: object = None, request: RequestId = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        self.request = request
        """The id of the request, if the message could be read so far."""
        super().__init__(message)


class Message(msgspec.Struct, frozen=True):
    """A request, or a notification, which wants no answer."""

    method: str
    params: dict[str, Any]
    id: RequestId = None
    is_notification: bool = False


def read_message(line: bytes) -> Message:
    """Read one message; raise RpcError if it is none."""
    if len(line) > MOST_BYTES:
        raise RpcError(
            INVALID_REQUEST, f"The message is too long: at most {MOST_BYTES:,} bytes are accepted."
        )
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RpcError(PARSE_ERROR, "The message is not JSON.") from None
    except RecursionError:
        raise RpcError(PARSE_ERROR, "The message is nested too deeply.") from None
    if not isinstance(found, dict):
        raise RpcError(INVALID_REQUEST, "A message is one JSON object; batches are not accepted.")
    request = found.get("id")
    if isinstance(request, bool) or not isinstance(request, str | int | None):
        raise RpcError(INVALID_REQUEST, "The id of a request is a string or a whole number.")
    if found.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'The message has no "jsonrpc": "2.0".', request=request)
    if "method" not in found and ("result" in found or "error" in found):
        return Message("", {}, is_notification=True)  # an answer; this server asks nothing
    method, params = found.get("method"), found.get("params")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "The message names no method.", request=request)
    if not isinstance(params, dict | None):
        raise RpcError(INVALID_PARAMS, "The parameters are not a JSON object.", request=request)
    if "id" in found and request is None:
        raise RpcError(INVALID_REQUEST, "The id of a request is a string or a whole number.")
    return Message(method, params or {}, request, is_notification="id" not in found)


def write_result(request: RequestId, result: object) -> bytes:
    """Return the answer to a request."""
    return msgspec.json.encode({"jsonrpc": "2.0", "id": request, "result": result})


def write_error(error: RpcError) -> bytes:
    """Return the answer to a request that cannot be answered."""
    described: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        described["data"] = error.data
    return msgspec.json.encode({"jsonrpc": "2.0", "id": error.request, "error": described})
