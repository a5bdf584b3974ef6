"""A heartbeat knows whether other fetchers may have taken what its own fetcher holds."""

import threading
from typing import Any

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from gossamer.cluster import heartbeat
from gossamer.cluster.heartbeat import Heartbeat
from gossamer.errors import StoreAway
from gossamer.store.postgres.coordination.leases import Standing

LEASE_S = 20.0


class Stage:
    """A clock, and a database that may be away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.epochs = {1: 1}
        self.is_away = False
        monkeypatch.setattr(heartbeat, "read_clock", lambda: self.now_s)
        leases: Any = self
        self.heartbeat = Heartbeat(leases, lambda: b"{}", lambda _: None, lambda _: None, LEASE_S)

    def renew(self, _: bytes) -> Standing:
        if self.is_away:
            raise StoreAway("away")
        return Standing(self.epochs, 1)

    def beat(self) -> None:
        try:
            self.heartbeat.beat()
        except StoreAway:
            assert self.is_away


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(monkeypatch)


def test_a_lease_that_was_not_renewed_in_time_stays_lapsed_for_its_part(stage: Stage) -> None:
    stage.beat()
    stage.heartbeat.depend_on(stage.epochs)
    stage.now_s += 15.0
    assert stage.heartbeat.is_alive()
    stage.beat()
    stage.now_s += 17.0
    stage.beat()  # too late: others may have had the addresses meanwhile
    assert not stage.heartbeat.is_alive()
    stage.heartbeat.depend_on(stage.epochs)
    assert stage.heartbeat.is_alive()


def test_a_lease_of_another_epoch_is_lost(stage: Stage) -> None:
    stage.heartbeat.depend_on({1: 1})
    stage.epochs = {1: 2}
    stage.beat()
    assert not stage.heartbeat.is_alive()


def test_a_fetcher_that_could_not_reach_the_database_does_not_take_hosts_at_once(stage: Stage) -> None:
    stage.beat()
    assert stage.heartbeat.may_take()
    stage.is_away = True
    stage.now_s += 60.0
    stage.beat()
    assert not stage.heartbeat.may_take()
    assert not stage.heartbeat.reaches_database()
    stage.is_away = False
    stage.beat()
    assert stage.heartbeat.reaches_database()
    stage.now_s += LEASE_S - 1
    stage.beat()
    assert not stage.heartbeat.may_take()
    stage.now_s += 1
    assert stage.heartbeat.may_take()


def test_it_goes_on_after_taking_hosts_failed() -> None:
    calls, enough = [0], threading.Event()

    class AnyLeases:
        def renew(self, _: bytes) -> Standing:
            return Standing({}, 1)

    def take(_: Standing) -> None:
        calls[0] += 1
        if calls[0] > 1:
            enough.set()
        raise StoreAway("away")

    leases: Any = AnyLeases()
    beating = Heartbeat(leases, lambda: b"{}", take, lambda _: None, lease_s=0.01)
    beating.start()
    assert enough.wait(60)
    beating.stop()
