"""A short simulation: leases, pauses and pages hold while fetchers die and sleep; `bench/simulate_cluster.py` is the long one."""

import pytest

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.simulation.simulate import simulate
from tests.simulation.simulated_world import Options, SimulatedWorld

LEASE_S = 20.0


def test_leases_balance_and_pauses_hold_while_fetchers_die() -> None:
    report = simulate(Options(hosts=2_000, fetchers=8, hours=0.15, dying=4.0, visits=1, lease_s=LEASE_S))
    counts = report.counts
    assert (counts.deaths, counts.sleeps) == (5, 5)
    assert counts.requests > 2_000
    assert counts.asked_by_others > 500
    assert counts.refused > 0
    assert counts.kept + counts.dropped > 0.95 * counts.requests
    # A lease, a heartbeat of the fetcher that takes over, and what another death adds.
    assert report.longest_unowned_s < 3 * LEASE_S
    assert report.balanced > 0.4


def test_a_request_that_breaks_a_rule_is_noticed() -> None:
    world = SimulatedWorld(Options(hosts=10, fetchers=1))
    fetcher = world.database.join(1, LEASE_S)
    epochs = world.database.take_leases(fetcher, 1024)
    world.ask(fetcher, epochs, 3, 1.0)
    world.now_s = 5.9
    with pytest.raises(AssertionError, match="too soon"):
        world.ask(fetcher, epochs, 4, 1.0)  # at the same address
    world.now_s = 6.1
    world.ask(fetcher, epochs, 5, 1.0)
    other = world.database.join(1, LEASE_S)
    with pytest.raises(AssertionError, match="a host of another one"):
        world.ask(other, epochs, 9, 1.0)
    world.database.commit(fetcher, epochs, {3: (0, 1)})
    with pytest.raises(AssertionError, match="kept twice"):
        world.database.commit(fetcher, epochs, {3: (0, 1)})
