"""Fetches each page by the fetcher of its scheme: http and https, file, ftp, and those of plug-ins."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gossamer.config import Fetching
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed, Outcome, Refused

if TYPE_CHECKING:  # loaded with the first page of its scheme
    from gossamer.fetch.schemes.ftp_fetcher import FtpFetcher


class SchemeFetcher:
    """A fetcher that passes each page on, by its scheme. Hosts of http and ftp are located in the same way."""

    def __init__(self, http: Fetcher, may_send: Callable[[], bool] = lambda: True) -> None:
        self._http = http
        self._may_send = may_send
        self._ftp: FtpFetcher | None = None

    @property
    def unanswered(self) -> int:
        """How many requests of http in a row were not answered."""
        return self._http.unanswered

    async def locate(self, host: str, settings: Fetching) -> HostAddresses | Refused | Failed | Shortage:
        """Find the allowed addresses of a host."""
        return await self._http.locate(host, settings)

    async def fetch(self, url: str, where: HostAddresses, options: FetchOptions) -> Outcome | Shortage:
        """Request one page."""
        if url.startswith("http"):
            return await self._http.fetch(url, where, options)
        if url.startswith("file:"):
            from gossamer.fetch.schemes.file_fetcher import fetch_file

            return await fetch_file(url, options)
        if url.startswith("ftp:"):
            return await self._get_ftp().fetch(url, where, options)
        from gossamer.fetch.schemes.plugin_fetcher import fetch_by_plugin

        return await fetch_by_plugin(url, where, options)

    def _get_ftp(self) -> "FtpFetcher":
        if self._ftp is None:
            from gossamer.fetch.schemes.ftp_fetcher import FtpFetcher

            self._ftp = FtpFetcher(self._may_send)
        return self._ftp

    async def renew(self) -> None:
        """Replace the network machinery of http."""
        await self._http.renew()

    async def close(self) -> None:
        """Close all connections."""
        if self._ftp is not None:
            self._ftp.close()
        await self._http.close()
