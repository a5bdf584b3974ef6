"""Say in a few words what came of a step of a visit that is no end of it: for the log."""

import logging

from gossamer.crawl.events import LogLine
from gossamer.crawl.visit.fetch_page import (
    AwaitingWrite,
    BrowserElsewhere,
    Ending,
    HeadFetched,
    Postponed,
    QuietHost,
    RobotsAsked,
)
from gossamer.crawl.visit.host_turns import AddressBusy
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed, Request


def describe_step(request: Request, outcome: Ending | Postponed, task: str, now_s: float) -> LogLine:
    """Return a line for the log: what the visit waits for, or which attempt has ended and how."""
    return LogLine(
        now_s,
        "fetch",
        logging.DEBUG,
        _describe(request, outcome),
        task=task,
        host=request.host,
        request=request.number,
        url=request.url,
    )


def _describe(request: Request, outcome: Ending | Postponed) -> str:
    match outcome:
        case AwaitingWrite():
            return "waits until the page, which was just fetched, is written"
        case AddressBusy():
            return "waits: the address of its host is asked by another request"
        case RobotsAsked(answer):
            found = "could not be reached" if answer.unreachable else "was fetched"
            return f"waits: robots.txt of its host {found}"
        case QuietHost():
            return "waits: quiet hours of its host"
        case BrowserElsewhere():
            return "waits: its host goes to a fetcher with a browser"
        case HeadFetched():
            return "waits: its head has changed"
        case Shortage():
            return f"waits: {outcome.what}"
        case Failed(cause, detail):
            return f"attempt {request.attempt + 1} failed: {cause} {detail}".rstrip()
    return f"attempt {request.attempt + 1} ended: {type(outcome).__name__.lower()}, depth {request.depth}"
