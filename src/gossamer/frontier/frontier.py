"""The frontier: hosts by the time they are ready, requests of a host by priority, tasks by turns.

This is the HostQueue of seed 002 (section 4.2.2) with the fairness of seed 004 (FairBreadthSearch): `take` gives
the next request that may be sent now, and never one whose host, or whose host's address, is busy or pausing.
Pure: no clock, no I/O; what must be read from the store is asked for by `hungry` and brought by `load`.

Only as many hosts are held here as keep the crawl busy; of the others the store knows. `asleep` names the tasks that
have such hosts, and `expect` lets one in (BUbiNG, Boldi et al. 2018, keeps its workbench in the same way).
"""

import heapq
from collections import deque
from collections.abc import Container, Iterable
from itertools import islice

from gossamer.config import Politeness
from gossamer.frontier import politeness as pacing
from gossamer.frontier.best_hosts import BestHosts
from gossamer.frontier.fair_share import FairShare
from gossamer.frontier.host_queue import HostQueue
from gossamer.frontier.politeness import Pace
from gossamer.frontier.request_window import RequestWindow
from gossamer.records import Request

MOST_HOSTS = 4_096
"""Hosts that are let in as they are found, with some 10 kB of requests each; beyond, those that are new wait in the
store until those that are here leave connections idle: 4,096 hosts with a pause of a second are 4,096 pages a second."""


class Frontier:
    """What may be fetched now."""

    def __init__(self, most_hosts: int = MOST_HOSTS) -> None:
        self._most_hosts = most_hosts
        self._lines: dict[str, HostQueue] = {}
        self._addresses: dict[str, Pace] = {}
        self._waiting: list[tuple[float, int, HostQueue]] = []
        self._ready: dict[int, deque[HostQueue] | BestHosts] = {}
        self._best: dict[int, BestHosts] = {}
        self._turns = FairShare()
        self._manners: dict[int, Politeness] = {}
        self._hungry: dict[tuple[str, int], None] = {}
        """In the order in which they became so."""
        self._asleep: dict[int, int] = {}
        self._sequence = 0

    def __len__(self) -> int:
        """Count the hosts that are known here."""
        return len(self._lines)

    def __contains__(self, host: str) -> bool:
        return host in self._lines

    # What comes in

    def set_task(self, task: int, weight: float, manners: Politeness, best_first: bool = False) -> None:
        """Let a task take part, or tell its weight and manners anew; its hosts come by turns, or the best one first."""
        self._turns.weigh(task, weight)
        self._manners[task] = manners
        if task not in self._ready:
            self._ready[task] = self._best.setdefault(task, BestHosts(task)) if best_first else deque()

    def add(self, requests: Iterable[Request]) -> None:
        """Accept new requests, which the store has or is about to have; those of hosts without room wait there."""
        for request in requests:
            if not self.has_room_for(request.host):
                self.note_stored_hosts(request.task)
                continue
            line = self._line(request.host)
            if request.task in self._asleep:
                self.add_stored_host(request.host, request.task)  # it may have been left to the store before
            elif request.task not in line.windows:
                self._enter(line, request.task, RequestWindow())
            window = line.windows[request.task]
            window.add(request)
            if request.task in self._best and request.priority >= window.best:
                self._best[request.task].offer(line)
            self._wait(line)

    def has_room_for(self, host: str) -> bool:
        """Say whether a host is known here, or may be as soon as it is met."""
        return host in self._lines or len(self._lines) < self._most_hosts

    def note_stored_hosts(self, task: int) -> None:
        """Say that the store may have requests of a task at hosts that are not known here."""
        self._asleep[task] = self._asleep.get(task, 0) + 1

    def tasks_with_stored_hosts(self) -> dict[int, int]:
        """List the tasks with such hosts, and how often that was said."""
        return dict(self._asleep)

    def clear_stored_hosts(self, task: int) -> None:
        """Say that all hosts at which a task has requests are known here."""
        self._asleep.pop(task, None)

    def add_host(self, host: str, pace: Pace) -> None:
        """Take note of a host that is not known here, with what is remembered of it."""
        self._lines.setdefault(host, HostQueue(host, pace))

    def has_queue(self, host: str, task: int) -> bool:
        """Say whether the requests of a task at a host are known here, as far as there is room."""
        line = self._lines.get(host)
        return line is not None and task in line.windows

    def add_stored_host(self, host: str, task: int) -> None:
        """Say that the store has requests of a host: after a restart, or because there was no room before."""
        line = self._line(host)
        if task not in line.windows:
            self._enter(line, task, RequestWindow(stored=True))
            self._hungry[host, task] = None

    def update_priorities(self, host: str, task: int, moved: dict[int, Request]) -> None:
        """Requests of a task that wait at a host have other priorities now."""
        line = self._lines.get(host)
        if line is None or task not in line.windows:
            return
        line.windows[task].move(moved)
        if line.windows[task].hungry:
            self._hungry[host, task] = None
        for best in self._best.values():
            best.offer(line)
        self._wait(line)

    def load(self, host: str, task: int, best: list[Request], is_all: bool) -> None:
        """Bring what `hungry` asked for."""
        self._hungry.pop((host, task), None)
        line = self._lines[host]
        line.windows[task].load(best, is_all)
        if task in self._best:
            self._best[task].offer(line)
        self._wait(line)

    # What goes out

    def needs_requests(self, most: int | None = None) -> list[tuple[str, int, set[int]]]:
        """List hosts and tasks whose requests must be loaded, with the numbers that are held already."""
        return [
            (*place, self._lines[place[0]].windows[place[1]].held) for place in islice(self._hungry, most)
        ]

    def take(self, now_s: float, held: Container[int] = ()) -> Request | None:
        """Take the next request that may be sent now, or None; tasks that are `held` have to wait."""
        self._wake(now_s)
        for task in self._turns.order(
            [task for task, ready in self._ready.items() if ready and task not in held]
        ):
            line = self._next_ready(task, now_s)
            if line is not None:
                self._turns.served(task)
                self._begin(line, now_s)
                return self._taken(line, task)
        return None

    def has_work(self) -> bool:
        """Say whether any request waits here, or may wait in the store."""
        return bool(self._waiting or self._hungry or self._asleep or any(self._ready.values()))

    def next_ready_s(self) -> float | None:
        """Say when the next host will be ready; None if no host waits."""
        return self._waiting[0][0] if self._waiting else None

    def count_hosts(self, now_s: float) -> dict[str, int]:
        """Count hosts by what they do: busy, ready, waiting, dead."""
        doing = [line.doing(now_s) for line in self._lines.values()]
        return {what: doing.count(what) for what in ("busy", "ready", "waiting", "dead")}

    # What happened to a request

    def claim_address(self, request: Request, address: str, now_s: float) -> bool:
        """Tell at which address a host is; False if that address is busy or pausing, and the request must go back."""
        if not self._manners[request.task].per_address:
            return True
        line = self._lines[request.host]
        if line.address == address:
            return True
        if line.address:  # the host has moved; where it was, nobody was asked
            self._addresses[line.address].busy = False
        shared = self._addresses.setdefault(address, Pace())
        line.address = address
        if shared.busy or shared.ready_s > now_s:
            return False
        pacing.begin_request(shared, now_s)
        return True

    def put_back(self, request: Request) -> None:
        """Nothing was sent, for another host at its address is busy: the request waits on."""
        line = self._lines[request.host]
        line.pace.busy = False
        self._close(line, request, False)

    def postpone(self, request: Request, until_s: float) -> None:
        """Nothing was sent: the request waits on, until then at least."""
        line = self._lines[request.host]
        self._release(line)
        line.pace.ready_s = max(line.pace.ready_s, until_s)
        self._close(line, request, False)

    def postpone_address(self, request: Request, until_s: float) -> None:
        """Nothing was sent, for somebody else asks at its host or address: all hosts there wait until then at least."""
        line = self._lines[request.host]
        if line.address:
            shared = self._addresses[line.address]
            shared.ready_s = max(shared.ready_s, until_s)
        self.postpone(request, until_s)

    def addresses_of(self, host: str) -> tuple[str, ...]:
        """Return the address that a host shares with others, if that is known and matters."""
        address = self._lines[host].address
        return (address,) if address else ()

    def ready_s(self, name: str) -> float:
        """Say from when on a host or an address may be asked."""
        line = self._lines.get(name)
        pace = line.pace if line is not None else self._addresses.get(name)
        return pace.ready_s if pace is not None else 0.0

    def skip(self, request: Request) -> None:
        """Nothing was sent, and nothing will be: the host owes no pause."""
        line = self._lines[request.host]
        self._release(line)
        self._close(line, request, True)

    def least_pause_s(self, request: Request) -> float:
        """Return the pause that is due between two requests to a host."""
        line = self._lines[request.host]
        return pacing.least_pause_s(line.pace, self._strictest(line, request.task))

    def borrow_host(self, host: str, now_s: float) -> bool:
        """Ask a host on behalf of a request to another, if it may be asked now: `give_back` must follow."""
        line = self._line(host)
        shared = self._addresses.get(line.address)
        if any(pace and (pace.busy or pace.ready_s > now_s) for pace in (line.pace, shared)):
            return False
        self._begin(line, now_s)
        return True

    def release_host(self, host: str, task: int, now_s: float) -> None:
        """What a host was borrowed for is done: it rests as after any answer."""
        line = self._lines[host]
        manners = self._strictest(line, task)
        pacing.record_answer(line.pace, manners, now_s)
        if line.address:
            pacing.record_answer(self._addresses[line.address], manners, now_s)
        self._wait(line)

    def is_dead(self, host: str) -> bool:
        """Say whether a host has failed so often that it is given up."""
        return self._lines[host].pace.dead

    def record_answer(self, request: Request, now_s: float, done: bool = True) -> None:
        """An answer came; `done` unless it was robots.txt, after which the request itself still waits."""
        line = self._lines[request.host]
        manners = self._strictest(line, request.task)
        pacing.record_answer(line.pace, manners, now_s)
        if line.address:
            pacing.record_answer(self._addresses[line.address], manners, now_s)
        self._close(line, request, done)

    def record_failure(
        self, request: Request, now_s: float, retry_after_s: float | None = None, done: bool = True
    ) -> None:
        """No answer came, or one that turns us away; unless `done` the request is tried again later."""
        line = self._lines[request.host]
        manners = self._strictest(line, request.task)
        pacing.record_failure(line.pace, manners, now_s, retry_after_s)
        if line.address:
            # Other hosts at this address may be well: they only wait the ordinary pause.
            pacing.record_answer(self._addresses[line.address], manners, now_s)
        self._close(line, request, done)

    def set_crawl_delay(self, host: str, crawl_delay_s: float) -> None:
        """Keep the pause that a host's robots.txt asks for."""
        self._lines[host].pace.crawl_delay_s = crawl_delay_s

    def drop_requests(self, host: str, task: int) -> list[Request]:
        """Give up what a task still wants of a host (over budget); return what was in memory."""
        self._hungry.pop((host, task), None)
        return self._lines[host].windows[task].drop()

    def remove_task(self, task: int) -> None:
        """The task has ended or pauses: forget its requests, the store has them."""
        self._ready.pop(task, None)
        self._best.pop(task, None)
        self._turns.forget(task)
        self.clear_stored_hosts(task)
        for line in self._lines.values():
            line.windows.pop(task, None)
            line.ready_for.discard(task)
        self._hungry = {key: None for key in self._hungry if key[1] != task}

    def forget_idle_hosts(self, now_s: float, keep: Container[str] = ()) -> int:
        """Forget hosts that have nothing to do and whose pause is over (seed 002: CleanUpThread), but for some."""
        idle = [line for line in self._lines.values() if line.idle(now_s) and line.name not in keep]
        for line in idle:
            del self._lines[line.name]
        used = {line.address for line in self._lines.values()}
        for address, shared in list(self._addresses.items()):
            if not shared.busy and shared.ready_s <= now_s and address not in used:
                del self._addresses[address]
        return len(idle)

    def pace(self, host: str) -> Pace | None:
        """Return the pace of a host, if it is known here."""
        line = self._lines.get(host)
        return line.pace if line else None

    # How it is done

    def _line(self, host: str) -> HostQueue:
        line = self._lines.get(host)
        if line is None:
            line = self._lines[host] = HostQueue(host, Pace())
        return line

    def _enter(self, line: HostQueue, task: int, window: RequestWindow) -> None:
        """Let a task have something to ask a host: not sooner after somebody else than it wants for itself."""
        line.windows[task] = window
        due_s = line.pace.ended_s + pacing.least_pause_s(line.pace, self._manners[task])
        line.pace.ready_s = max(line.pace.ready_s, due_s)

    def _wait(self, line: HostQueue) -> None:
        """Put a host in the waiting heap, if it has something to do and is not there."""
        if not line.waits and not line.pace.busy and any(line.windows.values()):
            line.waits = True
            self._sequence += 1
            heapq.heappush(self._waiting, (line.pace.ready_s, self._sequence, line))
            for best in self._best.values():
                best.offer(line)

    def _wake(self, now_s: float) -> None:
        """Move the hosts whose pause is over to the ready lines of their tasks."""
        while self._waiting and self._waiting[0][0] <= now_s:
            line = heapq.heappop(self._waiting)[2]
            line.waits = False
            if line.pace.busy:
                continue
            if line.pace.ready_s > now_s:
                self._wait(line)
                continue
            for task, window in line.windows.items():
                if window and task not in line.ready_for and task in self._ready:
                    line.ready_for.add(task)
                    self._ready[task].append(line)

    def _next_ready(self, task: int, now_s: float) -> HostQueue | None:
        """Pop hosts of a task's ready line until one can really be asked now."""
        ready = self._ready[task]
        if task in self._best and not self._best[task].worth_asking(now_s):
            return None
        while ready:
            line = ready.popleft()
            line.ready_for.discard(task)
            if line.pace.busy or not line.windows.get(task):
                continue
            shared = self._addresses.get(line.address)
            if shared is not None and shared.busy:
                # Whoever uses the address pauses after it; look again then.
                line.pace.ready_s = max(line.pace.ready_s, now_s + 0.05)
            elif shared is not None:
                line.pace.ready_s = max(line.pace.ready_s, shared.ready_s)
            if line.pace.ready_s <= now_s:
                return line
            self._wait(line)
        return None

    def _strictest(self, line: HostQueue, task: int) -> Politeness:
        """Return the manners of whoever wants the longest pauses of those that have something to ask this host."""
        if len(line.windows) < 2:
            return self._manners[task]
        return max((self._manners[each] for each in {task, *line.windows}), key=lambda own: own.delay_s)

    def _release(self, line: HostQueue) -> None:
        line.pace.busy = False
        if line.address:
            self._addresses[line.address].busy = False

    def _begin(self, line: HostQueue, now_s: float) -> None:
        pacing.begin_request(line.pace, now_s)
        if line.address:
            pacing.begin_request(self._addresses[line.address], now_s)

    def _taken(self, line: HostQueue, task: int) -> Request:
        window = line.windows[task]
        request = window.take()
        if window.hungry:
            self._hungry[line.name, task] = None
        if task in self._best:
            self._best[task].offer(line)
        return request

    def _close(self, line: HostQueue, request: Request, done: bool) -> None:
        window = line.windows.get(request.task)
        if window is not None:
            if done:
                window.finish(request.number)
            else:
                window.put_back(request)
        self._wait(line)
