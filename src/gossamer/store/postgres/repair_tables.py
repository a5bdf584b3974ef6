"""Correct rows of a web in a database, for `gossamer verify --repair`; no fetcher may be at work."""

from collections.abc import Callable
from types import TracebackType
from typing import Literal

from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session, Statement

COUNT_TOTALS = """
update total set pages = 0, links = 0, known = 0, visits = 0;
insert into total (slot) values (0) on conflict do nothing;
update total set pages = (select count(*) from page), links = (select coalesce(sum(links), 0) from link),
    known = (select count(*) from known), visits = (select count(*) from visit) where slot = 0;
delete from waiting;
insert into waiting (task, host, share, requests) select task, host, min(share), count(*) from request group by task, host
"""
"""Statements that count everything again."""


class TableRepair:
    """A connection that corrects rows, each in a transaction of its own."""

    def __init__(self, address: Address) -> None:
        self._session = Session(address, setup=True)

    def __enter__(self) -> "TableRepair":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()

    def move(self, table: Literal["page", "visit"], number: int, warc: str, offset: int) -> None:
        """Correct where a page or a visit is in the archive."""
        moved = f"update {table} set warc = %s, warc_offset = %s where number = %s"  # noqa: S608 - a name written here
        self._session.transact([Statement(moved, (warc, offset, number))])

    def mark_page(self, number: int, change: Callable[[bytes], bytes]) -> None:
        """Note that a page is not in the archive, with other marks."""
        [(marks,)] = self._session.query("select marks from page where number = %s", (number,))
        marked = "update page set warc = '', warc_offset = 0, marks = %s where number = %s"
        self._session.transact([Statement(marked, (change(marks), number))])

    def count_totals(self) -> None:
        """Count totals again."""
        self._session.execute(COUNT_TOTALS)
