"""Over hours of simulated time: no host and no address is asked too soon, and no request is lost."""

import heapq
import itertools
import random
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.frontier.frontier import Frontier
from gossamer.frontier.request_window import WINDOW_SIZE
from gossamer.records import Request


def simulate(
    seed: int, hosts: int, addresses: int, requests: int, delay_s: float, most_hosts: int = 100
) -> list[tuple[float, float, Request]]:
    """Run a frontier against simulated servers; return when each request began and ended."""
    chance = random.Random(seed)
    where = {f"h{n}": f"192.0.2.{n % addresses}" for n in range(hosts)}
    frontier = Frontier(most_hosts)
    for task in (1, 2):
        frontier.set_task(task, float(task), Politeness(delay_s=delay_s, adaptive=0.5))
    stock = [
        Request(
            n,
            f"u{n}",
            chance.choice(list(where)),
            chance.choice((1, 2)),
            priority=float(chance.randrange(3)),
            number=n,
        )
        for n in range(requests)
    ]
    waiting = {one.number: one for one in stock}
    frontier.add(stock)
    under_way: list[tuple[float, int, float, Request]] = []
    done: list[tuple[float, float, Request]] = []
    now_s = 0.0
    while waiting:
        add_stored_hosts(frontier, waiting.values())
        for host, task, held in frontier.needs_requests():
            left = sorted(
                (one for one in waiting.values() if (one.host, one.task) == (host, task)),
                key=lambda one: (-one.priority, one.number),
            )
            best = left[: WINDOW_SIZE + len(held)]
            frontier.load(host, task, best, is_all=len(best) == len(left))
        while one := frontier.take(now_s):
            if not frontier.claim_address(one, where[one.host], now_s):
                frontier.put_back(one)
                continue
            heapq.heappush(under_way, (now_s + chance.expovariate(2.0), one.number, now_s, one))
        ready_s = frontier.next_ready_s()
        times = [entry[0] for entry in under_way[:1]] + ([ready_s] if ready_s is not None else [])
        assert times, f"{len(waiting)} requests are stuck"
        now_s = max(now_s + 1e-6, min(times))
        while under_way and under_way[0][0] <= now_s:
            ended_s, _, began_s, one = heapq.heappop(under_way)
            if chance.random() < 0.1:
                frontier.record_failure(one, now_s, chance.choice([None, 30.0]), done=False)
            else:
                frontier.record_answer(one, now_s)
                del waiting[one.number]
            done.append((began_s, max(ended_s, now_s), one))
    return done


def add_stored_hosts(frontier: Frontier, waiting: Iterable[Request]) -> None:
    """Add one host of each task that had no room, as a crawl with idle connections does."""
    for task in frontier.tasks_with_stored_hosts():
        unknown = {one.host for one in waiting if one.task == task and not frontier.has_queue(one.host, task)}
        if unknown:
            frontier.add_stored_host(min(unknown), task)
        else:
            frontier.clear_stored_hosts(task)


@given(
    seed=st.integers(0, 10**6),
    hosts=st.integers(1, 12),
    addresses=st.integers(1, 6),
    requests=st.integers(1, 300),
    delay_s=st.sampled_from([0.1, 1.0, 5.0]),
    most_hosts=st.sampled_from([1, 5, 100]),
)
def test_no_host_and_no_address_is_asked_too_soon(
    seed: int, hosts: int, addresses: int, requests: int, delay_s: float, most_hosts: int
) -> None:
    done = simulate(seed, hosts, addresses, requests, delay_s, most_hosts)
    for key in ("host", "address"):
        visits_of: dict[str, list[tuple[float, float]]] = {}
        for began_s, ended_s, one in done:
            name = one.host if key == "host" else str(int(one.host[1:]) % addresses)
            visits_of.setdefault(name, []).append((began_s, ended_s))
        for visits in visits_of.values():
            visits.sort()
            for (_, ended_s), (began_s, _) in itertools.pairwise(visits):
                assert began_s - ended_s >= delay_s - 1e-9


@given(seed=st.integers(0, 10**6), requests=st.integers(1, 400))
def test_every_request_is_taken_and_in_the_order_of_its_priority(seed: int, requests: int) -> None:
    done = simulate(seed, hosts=2, addresses=2, requests=requests, delay_s=0.1)
    assert {one.number for _, _, one in done} == set(range(requests))
    first_tries: dict[int, Request] = {}
    for _, _, one in sorted(done, key=lambda entry: entry[0]):
        first_tries.setdefault(one.number, one)
    for host in ("h0", "h1"):
        for task in (1, 2):
            order = [
                (-o.priority, o.number) for o in first_tries.values() if (o.host, o.task) == (host, task)
            ]
            assert order == sorted(order)
