"""Simulate a hundred fetchers and a million hosts without sockets, while a tenth of the fetchers dies each hour.

Membership, leases, balance and turns at addresses are those of the real fetcher; database, clock and network are pretended
(tests/simulation). Every request is checked: its lease is its fetcher's, and its host and its address have had their pause
after the last answer to any fetcher. Every page is kept once. As many fetchers as die fall asleep and wake up with a lease
that is another's by then.

    python bench/simulate_cluster.py [--hosts N] [--fetchers N] [--hours N] [--json]
"""

import argparse
import sys
from pathlib import Path

from command_line import run_benchmark

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

HOSTS, FETCHERS, HOURS = 1_000_000, 100, 1.0


def measure(hosts: int = HOSTS, fetchers: int = FETCHERS, hours: float = HOURS) -> dict[str, float]:
    """Simulate; return what happened. A rule that does not hold raises AssertionError."""
    from tests.simulation.simulate import simulate
    from tests.simulation.simulated_world import Options

    report = simulate(Options(hosts=hosts, fetchers=fetchers, hours=hours, visits=1))
    counts = report.counts
    return {
        "simulate_cluster.requests": counts.requests,
        "simulate_cluster.addresses_handed_over": counts.asked_by_others,
        "simulate_cluster.pages_kept": counts.kept,
        "simulate_cluster.pages_fetched_again": counts.dropped,
        "simulate_cluster.deaths": counts.deaths,
        "simulate_cluster.sleeps": counts.sleeps,
        "simulate_cluster.batches_refused": counts.refused,
        "simulate_cluster.parts_a_change": (counts.parts - fetchers)
        / max(1, 2 * counts.deaths + counts.sleeps),
        "simulate_cluster.balanced": report.balanced,
        "simulate_cluster.longest_unbalanced_s": report.longest_unbalanced_s,
        "simulate_cluster.longest_unowned_s": report.longest_unowned_s,
    }


def main() -> int:
    """Read the command line and simulate."""
    parser = argparse.ArgumentParser(description="Simulate many fetchers.")
    parser.add_argument("--hosts", type=int, default=HOSTS)
    parser.add_argument("--fetchers", type=int, default=FETCHERS)
    parser.add_argument("--hours", type=float, default=HOURS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    return run_benchmark(
        "simulate_cluster", lambda: measure(given.hosts, given.fetchers, given.hours), given.json
    )


if __name__ == "__main__":
    sys.exit(main())
