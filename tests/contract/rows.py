"""Make pages, requests and links for the tests of stores."""

from collections.abc import Callable, Iterable

from gossamer.records import LinkType, Page, Request
from gossamer.store.batch import KIND_OF_TYPE, NOFOLLOW, SPANS_HOSTS, SPANS_SITES, LinkColumns, Store

LinkRow = tuple[int, int, LinkType, str, bool, bool, bool]
"""The fields of a `PageLink` in their order."""

Open = Callable[[], Store]


def page(number: int, **fields: object) -> Page:
    url = f"http://h{number % 3}.example/{number}"
    return Page(number, url, f"h{number % 3}.example", 1, 0, 1.5, 200, "html", **fields)  # type: ignore[arg-type]


def make_request(
    number: int, host: str = "a.example", priority: float = 0.0, task: int = 1, attempt: int = 0
) -> Request:
    url = f"http://{host}/{number}"
    return Request(number, url, host, task, 2, priority, 7, "a", attempt, number)


def link(source: int, target: int, text: str = "") -> LinkRow:
    return (source, target, "a", text, False, True, False)


def to_columns(rows: Iterable[LinkRow]) -> list[LinkColumns]:
    """Group links by page, as columns of a batch."""
    pages: dict[int, list[LinkRow]] = {}
    for row in rows:
        pages.setdefault(row[0], []).append(row)
    return [
        LinkColumns(
            source, [row[1] for row in links], bytes(map(_encode_kind, links)), [row[3] for row in links]
        )
        for source, links in pages.items()
    ]


def _encode_kind(row: LinkRow) -> int:
    _, _, link_type, _, nofollow, spans_hosts, spans_sites = row
    return (
        KIND_OF_TYPE[link_type] + NOFOLLOW * nofollow + SPANS_HOSTS * spans_hosts + SPANS_SITES * spans_sites
    )
