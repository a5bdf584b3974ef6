"""How many pages each fetcher may still bring to a task with a page limit, so that all of them together keep it exactly."""

from collections.abc import Mapping

from gossamer.store.postgres.binary_columns import Int4s, Int8s, pack_array
from gossamer.store.postgres.connect import Session, Statement, Step


def reserve_pages(session: Session, fetcher: int, task: int, most: int, wished: int) -> int:
    """Set how many pages of a task a fetcher may still bring, within the task's limit; return how many."""
    asked = Statement("select reserve_pages(%s, %s, %s::bigint, %s::bigint)", (fetcher, task, most, wished))
    [[(granted,)]] = session.transact([asked])
    return int(granted)


def plan_spending(fetcher: int, brought: Mapping[int, int]) -> list[Step]:
    """Return the steps that take the pages of a batch, by task, out of what the fetcher may bring."""
    if not brought:
        return []
    tasks, pages = pack_array(Int4s, [*brought]), pack_array(Int8s, [*brought.values()])
    return [Statement("select spend_pages(%s, %s, %s)", (fetcher, tasks, pages))]


def forget_reservations(session: Session, fetcher: int) -> None:
    """Give back everything that a fetcher has reserved."""
    session.transact([Statement("delete from reservation where fetcher = %s", (fetcher,))])
