"""Pauses receivers until the bandwidth limits of their host, their task and this machine have room.

Receivers that have to wait stand in a queue at the limit that stops them, and one timer wakes the first: how many wait
does not matter for the cost. Each piece that was taken is charged to all limits.
"""

import asyncio
import os
from collections.abc import Callable, Hashable
from functools import cache, partial

from gossamer.config import Politeness
from gossamer.errors import BadInput
from gossamer.fetch.bandwidth.rate_table import RateTable
from gossamer.fetch.bandwidth.token_bucket import Bucket, Cell, open_machine_cell
from gossamer.frontier.timed_rule import strip_port

MACHINE_VARIABLE = "GOSSAMER_BANDWIDTH"
"""The environment variable with the limit that all crawls of this user on this machine share."""
MOST_WAITING = 8
"""With so many receivers in the queue, further requests would only wait as well."""
_LEAST_TIMER_S = 0.001
_MOST_HOSTS = 4_096


class Gate:
    """One limit: its bucket, and the receivers that wait for room in it."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket = bucket
        self._waiting: dict[Hashable, Callable[[], None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._called: Hashable | None = None
        """The receiver whose turn it is now."""

    @property
    def is_crowded(self) -> bool:
        """Whether further requests would only wait as well."""
        return len(self._waiting) >= MOST_WAITING

    def admits(self, receiver: Hashable) -> bool:
        """Say whether a receiver may take a piece now; those that wait already come first."""
        if self._waiting and receiver is not self._called:
            return False
        return self.bucket.find_wait_s() == 0.0

    def wait(self, receiver: Hashable, resume: Callable[[], None]) -> None:
        """Call `resume` when it is the receiver's turn; not from within this call."""
        if self._loop is not asyncio.get_running_loop():
            self._waiting.clear()  # they belong to a crawl that has ended
        self._waiting[receiver] = resume
        self._set_timer()

    def forget(self, receiver: Hashable) -> None:
        """Forget a receiver whose transfer has ended."""
        self._waiting.pop(receiver, None)

    def _set_timer(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:  # the limit of the machine outlives a crawl, and its event loop
            self._loop, self._timer = loop, None
        if self._timer is None and self._waiting:
            self._timer = loop.call_later(max(_LEAST_TIMER_S, self.bucket.find_wait_s()), self._wake)

    def _wake(self) -> None:
        """Wake receivers, in the order in which they came, until there is no room."""
        self._timer = None
        while self._waiting and self.bucket.find_wait_s() == 0.0:
            self._called = next(iter(self._waiting))
            resume = self._waiting.pop(self._called)
            try:
                resume()
            finally:
                self._called = None
        self._set_timer()


class ReceptionLimits:
    """The bandwidth limits of one task in this process."""

    def __init__(
        self, politeness: Politeness, cell: Cell | None = None, share: Callable[[], float] = lambda: 1.0
    ) -> None:
        self._task = RateTable(politeness.bandwidth)
        self._hosts = RateTable(politeness.host_bandwidth)
        shared = [Gate(Bucket(lambda: self._task.find_rate() * share(), cell))] if self._task else []
        machine = find_machine_gate()
        self.gates = tuple([*shared, machine] if machine is not None else shared)
        """The limits that hold for all hosts."""
        self._by_host: dict[str, Gate] = {}

    def __bool__(self) -> bool:
        return bool(self.gates or self._hosts)

    @property
    def is_crowded(self) -> bool:
        """Whether further requests of the task would only wait for bandwidth."""
        return any(gate.is_crowded for gate in self.gates)

    def find_gates(self, host: str) -> tuple[Gate, ...]:
        """Return the limits that hold for a host."""
        if not self._hosts:
            return self.gates
        rule = next((each for each in (host, strip_port(host)) if each in self._hosts.hosts), "")
        gate = self._by_host.get(host)
        if gate is None:
            if len(self._by_host) >= _MOST_HOSTS:
                del self._by_host[next(iter(self._by_host))]
            gate = self._by_host[host] = Gate(Bucket(partial(self._hosts.find_rate, rule)))
        return (gate, *self.gates)

    def describe(self) -> str:
        """Say which limits hold now, in a few words; "" if none does."""
        parts = [
            f"{self._task.describe()} for the task" if self._task.describe() else "",
            f"{self._hosts.describe()} for each host" if self._hosts.describe() else "",
            f"{rates.describe()} for this machine"
            if (rates := _read_machine_rates()) and rates.describe()
            else "",
        ]
        return ", ".join(filter(None, parts))


def has_limits(politeness: Politeness) -> bool:
    """Say whether a task, or this machine, has a bandwidth limit."""
    return bool(politeness.bandwidth or politeness.host_bandwidth or os.environ.get(MACHINE_VARIABLE))


def check_limits(politeness: Politeness) -> None:
    """Raise BadInput for a limit that cannot be understood."""
    for rule_hosts, name in ((RateTable(politeness.bandwidth).hosts, "bandwidth"),):
        if rule_hosts - {""}:
            raise BadInput(
                f"{name} is for a whole task; the rate of {min(rule_hosts - {''})} belongs to host_bandwidth"
            )
    RateTable(politeness.host_bandwidth)
    _read_machine_rates()


def _read_machine_rates() -> RateTable | None:
    text = os.environ.get(MACHINE_VARIABLE, "")
    return _parse_machine_rates(text) if text else None


@cache
def _parse_machine_rates(text: str) -> RateTable:
    rates = RateTable(filter(None, map(str.strip, text.split(","))))
    if rates.hosts - {""}:
        raise BadInput(
            f"{MACHINE_VARIABLE} is for this machine; the rate of a host belongs to --host-bandwidth"
        )
    return rates


@cache
def _open_machine_gate(text: str) -> Gate:
    return Gate(Bucket(_parse_machine_rates(text).find_rate, open_machine_cell()))


def find_machine_gate() -> Gate | None:
    """Return the limit that all crawls of this user on this machine share; None if there is none."""
    text = os.environ.get(MACHINE_VARIABLE, "")
    return _open_machine_gate(text) if text else None
