"""Turns survive an exchange whose answer was lost: nothing is asked too soon, and no wish is forgotten."""

from typing import Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from gossamer.cluster import address_turns
from gossamer.cluster.address_turns import AddressTurns
from gossamer.crawl.host_shards import Territory
from gossamer.errors import StoreAway
from gossamer.store.postgres.coordination.turn_table import TurnState

HOST, ADDRESS = "a.example", "192.0.2.1"
NAME = f"address {ADDRESS}"


class Database:
    """Answers exchanges, or fails."""

    def __init__(self) -> None:
        self.is_away = False
        self.is_wanted = False
        self.given: list[dict[str, float]] = []

    def exchange(self, _: Any, __: int, given: dict[str, float], wished: dict[str, float]) -> Any:
        if self.is_away:
            raise StoreAway("away")
        self.given.append(dict(given))
        found = {name: TurnState(True, 0.0, False) for name in wished}
        return found | ({NAME: TurnState(True, 0.0, True)} if self.is_wanted else {})


def test_a_lost_answer_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    database, session = Database(), Any
    monkeypatch.setattr(address_turns, "exchange_turns", database.exchange)
    turns = AddressTurns(session, 1, Territory(0, 1), lambda: 100.0, lambda: True)  # type: ignore[arg-type]
    database.is_away = True
    assert turns.begin([HOST, ADDRESS], 1.0) > 0
    with pytest.raises(StoreAway):
        turns.exchange()
    assert turns.is_waiting, "the wish is kept"
    database.is_away = False
    turns.exchange()
    assert turns.begin([HOST, ADDRESS], 1.0) == 0.0
    turns.end({HOST: 5.0, ADDRESS: 5.0})
    database.is_wanted = True
    turns.exchange()
    database.is_away = True
    with pytest.raises(StoreAway):
        turns.exchange()
    assert turns.begin([HOST, ADDRESS], 1.0) > 0, "it may be another's by now"
    database.is_away = database.is_wanted = False
    turns.exchange()
    assert database.given[-1] == {NAME: 105.0}, "with the pause that is due"
