"""Messages between a crawl, the process that talks to Ray for it, and the fetchers that Ray has placed."""

import msgspec

from gossamer.crawl.events import Notice, PageVisited, Progress, TaskEnded, TopicFound, TrapFound

CrawlEvent = PageVisited | TrapFound | TopicFound | Progress | Notice | TaskEnded


class RayJob(msgspec.Struct, frozen=True):
    """Which Ray to use; the first message to its process."""

    address: str
    """The address of a cluster; "" starts a Ray on this machine that ends with the crawl."""
    folder: str
    """Where a Ray of our own keeps its sockets and logs."""
    fetchers: int
    """How many; 0 for one on each node, or on each processor of this machine."""
    cpus: float
    """What Ray reserves for each fetcher."""


class Placement(msgspec.Struct, frozen=True):
    """What the fetchers are to crawl; the second message. There is no third: the end of the input means leave."""

    web: str
    """The address of the web; it never holds a password."""
    connections: int
    lease_s: float


class Connected(msgspec.Struct, frozen=True, tag=True):
    """Ray answers."""


class Unreachable(msgspec.Struct, frozen=True, tag=True):
    """Ray cannot be used, and why."""

    text: str


class Reported(msgspec.Struct, frozen=True, tag=True):
    """What a fetcher has done since its last report, or what Ray has done for it."""

    fetcher: str
    events: list[CrawlEvent]


class FetcherReport(msgspec.Struct, frozen=True):
    """How a placed fetcher is doing."""

    name: str
    machine: str
    process: int
    events: list[CrawlEvent]
    has_left: bool = False
    failure: str = ""
    """Why it has left; "" if it was told to."""


Answer = Connected | Unreachable | Reported
