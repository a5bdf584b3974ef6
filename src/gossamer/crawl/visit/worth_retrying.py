"""Which failed requests are tried again: temporary failures, as long as the task has tries left."""

from gossamer.config import Politeness
from gossamer.records import Failed, Request

SERVER_TROUBLE = {"429", "500", "502", "503", "504"}
"""Statuses after which the server is left alone for a while; other statuses above 400 are answers."""
# "protocol": what a wrong Content-Length leaves on a connection is read as the next answer, which is then not HTTP.
_TEMPORARY_CAUSES = {"dns", "connect", "timeout", "reset", "protocol"}


def is_worth_retrying(request: Request, failure: Failed, politeness: Politeness) -> bool:
    """Say whether a failure may be temporary and the request has tries left (`Politeness.tries`)."""
    return is_temporary(failure) and request.attempt + 1 < politeness.tries


def is_temporary(failure: Failed) -> bool:
    """Say whether a failure may be temporary."""
    return failure.cause in _TEMPORARY_CAUSES or failure.detail in SERVER_TROUBLE
