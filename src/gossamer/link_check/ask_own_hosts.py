"""Asks hosts of the user for many addresses at once, by HEAD. What is not answered well is left to the crawl, which tries again.

The crawl sends one request at a time to a host, and records each in its state: right for strangers, slow for a list of addresses on
a host of one's own. robots.txt is obeyed here too.
"""

import asyncio
from collections.abc import Callable, Sequence

from gossamer.config import TaskSpec
from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.fetch.http.http_client import CurlFetcher
from gossamer.fetch.user_agent_header import find_sender, format_user_agent
from gossamer.net import robots
from gossamer.net import url as urls
from gossamer.records import Fetched, Visit

_AT_ONCE = 32
_OK, _FIRST_ERROR = 200, 400


def ask_own_hosts(pages: Sequence[str], task: TaskSpec, clock: Callable[[], float]) -> list[Visit]:
    """Return a visit for each address that was answered well; the others are to be asked for by a crawl."""
    return asyncio.run(_ask_all(pages, task, clock))


async def _ask_all(pages: Sequence[str], task: TaskSpec, clock: Callable[[], float]) -> list[Visit]:
    fetcher = CurlFetcher(most_connections=_AT_ONCE)
    try:
        by_host: dict[str, list[str]] = {}
        for url in pages:
            by_host.setdefault(urls.host(url), []).append(url)
        found: list[Visit] = []
        for host, some in by_host.items():
            where = await fetcher.locate(host, task.fetching)
            if isinstance(where, HostAddresses):
                found += await _ask_host(fetcher, where, some, task, clock)
        return found
    finally:
        await fetcher.close()


async def _ask_host(
    fetcher: CurlFetcher,
    where: HostAddresses,
    pages: Sequence[str],
    task: TaskSpec,
    clock: Callable[[], float],
) -> list[Visit]:
    """Ask one host, with several requests at a time."""
    agent = format_user_agent(task.politeness)
    allows = await _read_robots(fetcher, where, urls.origin(pages[0]), task, agent)
    head = FetchOptions(task.fetching, agent, "HEAD", sender=find_sender(task.politeness))
    waiting = iter([url for url in pages if allows(url)])
    found: list[Visit] = []

    async def work() -> None:
        for url in waiting:
            answer = await fetcher.fetch(url, where, head)
            if isinstance(answer, Fetched) and answer.exchange.status < _FIRST_ERROR:
                found.append(Visit(urls.page_id(url), 0, clock(), "fetched", answer.exchange.status))

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))
    return found


async def _read_robots(
    fetcher: CurlFetcher, where: HostAddresses, origin: str, task: TaskSpec, agent: str
) -> Callable[[str], bool]:
    """Return what says whether an address may be asked for; without a robots.txt, all may."""
    if not task.politeness.robots:
        return lambda _: True
    answer = await fetcher.fetch(
        f"{origin}/robots.txt", where, FetchOptions(task.fetching, agent, sender=find_sender(task.politeness))
    )
    if not isinstance(answer, Fetched) or answer.exchange.status != _OK:
        return lambda _: True
    rules = robots.parse(answer.exchange.body)
    return lambda url: rules.allows(url, agent)
