"""The manners of previews: those of the newest task of a web, without its passwords and cookies, and with small limits."""

import msgspec

from gossamer.config import Fetching, Politeness
from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.fetch.fetcher import FetchOptions
from gossamer.fetch.user_agent_header import find_sender, format_user_agent
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.net.robots import MAX_BYTES
from gossamer.store.batch import Store
from gossamer.store.tombstones import Tombstones, load_tombstones

# With the last piece that the network delivers, at most 16 KiB, and the head: 64 kB in all.
_MOST_BYTES = 40_000
_MOST_HEAD_BYTES = 8_192
_CONNECT_S, _PAGE_S = 5.0, 10.0


class PreviewManners(msgspec.Struct, frozen=True):
    """How previews are fetched, and what is not fetched at all."""

    page: FetchOptions
    """For the beginning of a page."""
    robots: FetchOptions
    """For robots.txt, which is read as far as in a crawl."""
    politeness: Politeness
    quiet_hours: QuietHours
    forgotten: Tombstones


def read_manners(store: Store) -> PreviewManners:
    """Return the manners for a web. Private networks are open to previews if a task of the web may crawl them."""
    specs = [read_spec(note) for note in store.tasks()]
    politeness = specs[-1].politeness if specs else Politeness()
    fetching = specs[-1].fetching if specs else Fetching()
    private = dict.fromkeys(network for spec in specs for network in spec.fetching.allow_private)
    small = msgspec.structs.replace(
        fetching,
        page_bytes=_MOST_BYTES,
        head_bytes=_MOST_HEAD_BYTES,
        page_time_s=min(fetching.page_time_s, _PAGE_S),
        connect_time_s=min(fetching.connect_time_s, _CONNECT_S),
        first_byte_time_s=min(fetching.first_byte_time_s, _PAGE_S),
        auth="",
        cookies=False,
        head_only=False,
        allow_private=tuple(private),
        allow_files=(),
        schemes=(),
    )
    agent, sender = format_user_agent(politeness), find_sender(politeness)
    return PreviewManners(
        FetchOptions(small, agent, sender=sender),
        FetchOptions(msgspec.structs.replace(small, page_bytes=MAX_BYTES + 1), agent, sender=sender),
        politeness,
        QuietHours(politeness.quiet_hours),
        load_tombstones(store),
    )
