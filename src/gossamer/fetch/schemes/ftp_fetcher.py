"""Fetches files of FTP servers; folders become index pages of links."""

import asyncio
import mimetypes
import time
from collections.abc import Callable
from urllib.parse import unquote

from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.schemes.ftp_listing import parse_list, parse_mlsd
from gossamer.fetch.schemes.listing_page import MOST_ENTRIES, make_listing
from gossamer.records import Exchange, Failed, FailureCause, Fetched, Outcome, Redirected, Refused

_TYPES = mimetypes.MimeTypes()
# Codes of libcurl.
_CAUSES: dict[int, FailureCause] = {
    6: "dns",
    7: "connect",
    12: "timeout",
    28: "timeout",
    42: "internal",
    55: "reset",
    56: "reset",
    67: "status",
}
_FORBIDDEN = "403"
_MISSING = "404"


class FtpFetcher:
    """Fetches by FTP, anonymously or with the password of the task for this origin."""

    def __init__(self, may_send: Callable[[], bool] = lambda: True) -> None:
        self._may_send = may_send
        self._closed = False

    async def fetch(self, url: str, where: HostAddresses, options: FetchOptions) -> Outcome:
        """Get a file or a folder from the first of these addresses."""
        if options.settings.proxy:
            return Refused("connect", "pages of ftp: are not fetched through a proxy")
        if not where.addresses:
            return Failed("dns", "the host has no address")
        if not self._may_send():
            return Failed("internal", "the turn at this host was lost")
        return await asyncio.to_thread(self._fetch, url, where.addresses[0], options)

    def close(self) -> None:
        """End the transfers under way."""
        self._closed = True

    def _fetch(self, url: str, address: str, options: FetchOptions) -> Outcome:
        from gossamer.fetch.schemes.ftp_transfer import NOT_FOUND, FtpAnswer, transfer

        began_s = time.time()

        def run(target: str, listing: str = "") -> FtpAnswer:
            return transfer(target, address, options, listing, lambda: not self._closed)

        def make_exchange(status: int, body: bytes, answer: FtpAnswer, kind: str = "") -> Exchange:
            return _make_exchange(url, status, body, address, began_s, answer, kind)

        if url.endswith("/"):
            answer, entries = run(url, "MLSD"), parse_mlsd
            if answer.code and answer.code not in _CAUSES and not answer.refused:
                answer, entries = run(url, "LIST"), parse_list  # an old server
            if not answer.code:
                found = sorted(set(entries(answer.body)))
                page = make_listing(
                    unquote(url), found[:MOST_ENTRIES], len(found) > MOST_ENTRIES or answer.is_cut
                )
                return Fetched(make_exchange(200, page, answer, "text/html; charset=utf-8"))
        else:
            answer = run(url)
            if not answer.code:
                kind = _TYPES.guess_type(url.partition(";")[0])[0] or "application/octet-stream"
                return Fetched(make_exchange(200, answer.body, answer, kind))
            if answer.code in NOT_FOUND and not run(f"{url}/", "LIST").code:
                return Redirected(make_exchange(301, b"", answer), f"{url}/")
        if answer.refused:
            return Refused("private address", answer.refused)
        if answer.code in NOT_FOUND or _CAUSES.get(answer.code) == "status":
            status = _FORBIDDEN if _CAUSES.get(answer.code) == "status" else _MISSING
            return Failed(
                "status", status, exchange=make_exchange(int(status), answer.message.encode(), answer)
            )
        return Failed(_CAUSES.get(answer.code, "protocol"), answer.message[:200])


def _make_exchange(
    url: str, status: int, body: bytes, address: str, began_s: float, answer: object, kind: str
) -> Exchange:
    """Return what came as an exchange without HTTP: its heads are empty."""
    return Exchange(
        url=url,
        status=status,
        request_head=b"",
        response_head=b"",
        payload=body,
        body=body,
        headers=(("content-type", kind),) if kind else (),
        address=address,
        began_s=began_s,
        first_byte_s=getattr(answer, "first_byte_s", 0.0),
        took_s=getattr(answer, "took_s", 0.0),
        cut="length" if getattr(answer, "is_cut", False) and not url.endswith("/") else "",
    )
