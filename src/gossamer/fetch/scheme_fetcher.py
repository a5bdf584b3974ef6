"""Fetches each page by the fetcher of its scheme: http and https, file, ftp, and those of plug-ins."""

from collections.abc import Callable

from gossamer.config import Fetching
from gossamer.fetch.fetcher import Fetcher, FetchOptions, HostAddresses
from gossamer.fetch.schemes.file_fetcher import fetch_file
from gossamer.fetch.schemes.ftp_fetcher import FtpFetcher
from gossamer.fetch.schemes.plugin_fetcher import fetch_by_plugin
from gossamer.fetch.socket_shortage import Shortage
from gossamer.records import Failed, Outcome, Refused


class SchemeFetcher:
    """A fetcher that passes each page on, by its scheme. Hosts of http and ftp are located in the same way."""

    def __init__(self, http: Fetcher, may_send: Callable[[], bool] = lambda: True) -> None:
        self._http = http
        self._ftp = FtpFetcher(may_send)

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
            return await fetch_file(url, options)
        if url.startswith("ftp:"):
            return await self._ftp.fetch(url, where, options)
        return await fetch_by_plugin(url, where, options)

    async def renew(self) -> None:
        """Replace the network machinery of http."""
        await self._http.renew()

    async def close(self) -> None:
        """Close all connections."""
        self._ftp.close()
        await self._http.close()
