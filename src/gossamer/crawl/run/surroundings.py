"""What a shard finds around it: its part of the web, what it shares with other shards, its archive, mailbox and clock."""

from collections.abc import Callable

import msgspec

from gossamer.crawl.common_turns import CommonTurns
from gossamer.crawl.control.command_mailbox import OrderBox
from gossamer.crawl.host_shards import WHOLE, Territory
from gossamer.crawl.loop.page_quota import PageQuota, Quota
from gossamer.crawl.loop.write_batches import Hurry
from gossamer.crawl.status.status_file import StatusSink
from gossamer.crawl.visit.shard_context import ShardContext
from gossamer.fetch.bandwidth.token_bucket import Cell
from gossamer.store.archive.visit_archive import VisitArchive
from gossamer.store.batch import Store


class Surroundings(msgspec.Struct, frozen=True):
    """The surroundings of a shard; by default those of the only process that crawls a folder."""

    territory: Territory = WHOLE
    turns: CommonTurns | None = None
    """Turns at hosts and addresses that other shards respect, too; None if there are no others."""
    make_quota: Callable[[ShardContext, Store], Quota] = PageQuota
    """Makes what keeps the page limits of tasks."""
    archive: VisitArchive | None = None
    """None for WARC files in the folder."""
    mailbox: OrderBox | None = None
    """None for the file in the folder."""
    clock: Callable[[], float] | None = None
    """None for the clock of this machine."""
    may_send: Callable[[], bool] = lambda: True
    """Says at the last moment before each request whether the turns are still this shard's."""
    connections: int = 0
    """How many visits may be under way; 0 for what the tasks ask for."""
    status: StatusSink | None = None
    """Where its status goes; None for a file in the folder."""
    hurry: Hurry | None = None
    """Says whether to give up a batch that could not be written for so many seconds; None to do so when the crawl stops."""
    make_cell: Callable[[int], Cell | None] = lambda _: None
    """Returns where the bandwidth limit of a task keeps its number; None if this shard has it alone."""
    bandwidth_share: float = 1.0
    """The share of a task's bandwidth that this shard has, if shards cannot share its number."""
    hand_over: Callable[[str], bool] = lambda _: False
    """Has another fetcher crawl a host whose pages need a browser, which this one does not have; says whether there is one."""
    is_verbose: bool = False
    """Whether each step of a visit is told, for the log of the parent."""


ALONE = Surroundings()
