"""What a fetcher says about itself."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from gossamer.cluster.fetcher import Fetcher, FetcherStatus
from gossamer.crawl.run.assemble_crawl import Crawl
from gossamer.store.postgres.address import parse_address


def test_visits_in_flight_are_those_of_all_tasks(tmp_path: Path) -> None:
    address = parse_address("postgresql://nobody@192.0.2.1/none")
    fetcher = Fetcher(address, tmp_path, "one", "one.example", 4, make_archive=_refuse, watcher=print)
    assert _read_status(fetcher).in_flight == 0
    tasks = {1: SimpleNamespace(under_way=2), 2: SimpleNamespace(under_way=1)}
    crawl: Any = SimpleNamespace(_shard=SimpleNamespace(tasks=tasks))
    fetcher._crawl = SimpleNamespace(  # type: ignore[assignment]
        count_visits_under_way=lambda: Crawl.count_visits_under_way(crawl)
    )
    assert _read_status(fetcher).in_flight == 3


def _refuse(number: int) -> Any:
    raise AssertionError(number)


def _read_status(fetcher: Fetcher) -> FetcherStatus:
    return msgspec.json.decode(fetcher._describe(), type=FetcherStatus)
