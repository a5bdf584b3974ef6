"""The frontier: hosts by the time they are ready, requests of a host by priority, tasks by turns.

This is the HostQueue of Schmitz 2001 (section 4.2.2) with the fairness of Wollenweber 2002 (FairBreadthSearch). `take`
returns the next request that may be sent now, and never one whose host, or whose host's address, is busy or pausing.
The frontier does no I/O: `needs_requests` says what must be read from the store, and `load` takes it in.

Only as many hosts are in memory as keep the crawl busy; the others are in the store alone. `tasks_with_stored_hosts`
lists the tasks that have such hosts, and `add_stored_host` lets one in. BUbiNG (Boldi et al. 2018) bounds its
workbench in the same way.
"""

import heapq
from collections import deque
from collections.abc import Container, Iterable
from itertools import islice

from gossamer.config import Politeness
from gossamer.frontier import pauses_and_backoff as pacing
from gossamer.frontier.best_hosts import BestHosts
from gossamer.frontier.fair_share import FairShare
from gossamer.frontier.host_queue import HostQueue
from gossamer.frontier.pauses_and_backoff import Pace
from gossamer.frontier.request_window import RequestWindow
from gossamer.records import Request

MOST_HOSTS = 4_096
"""Hosts that are added as they are found, with some 10 kB of requests each. Further ones wait in the store until the
hosts here leave connections idle: 4,096 hosts with a pause of a second are 4,096 pages a second."""


class Frontier:
    """The requests that wait, and which of them may be sent now."""

    def __init__(self, most_hosts: int = MOST_HOSTS) -> None:
        self._most_hosts = most_hosts
        self._queues: dict[str, HostQueue] = {}
        self._addresses: dict[str, Pace] = {}
        self._waiting: list[tuple[float, int, HostQueue]] = []
        self._ready: dict[int, deque[HostQueue] | BestHosts] = {}
        self._best: dict[int, BestHosts] = {}
        self._turns = FairShare()
        self._politeness: dict[int, Politeness] = {}
        self._need_loading: dict[tuple[str, int], None] = {}
        """Hosts and tasks whose windows are used up, first come, first loaded."""
        self._stored_hosts: dict[int, int] = {}
        self._sequence = 0

    def __len__(self) -> int:
        """Return the number of hosts in memory."""
        return len(self._queues)

    def __contains__(self, host: str) -> bool:
        return host in self._queues

    # Adding hosts and requests

    def set_task(self, task: int, weight: float, politeness: Politeness, best_first: bool = False) -> None:
        """Add a task, or change its weight and politeness; its hosts take turns unless it is `best_first`."""
        self._turns.set_weight(task, weight)
        self._politeness[task] = politeness
        if task not in self._ready:
            self._ready[task] = self._best.setdefault(task, BestHosts(task)) if best_first else deque()

    def add(self, requests: Iterable[Request]) -> None:
        """Add new requests, which the store has or will have; those of hosts without room wait there."""
        for request in requests:
            if not self.has_room_for(request.host):
                self.note_stored_hosts(request.task)
                continue
            queue = self._get_queue(request.host)
            if request.task in self._stored_hosts:
                self.add_stored_host(
                    request.host, request.task
                )  # the store may have older requests of this host
            elif request.task not in queue.windows:
                self._enter(queue, request.task, RequestWindow())
            window = queue.windows[request.task]
            window.add(request)
            if request.task in self._best and request.priority >= window.best_priority:
                self._best[request.task].update(queue)
            self._wait(queue)

    def has_room_for(self, host: str) -> bool:
        """Say whether a host is in memory, or there is room to add it."""
        return host in self._queues or len(self._queues) < self._most_hosts

    def note_stored_hosts(self, task: int) -> None:
        """Note that the store may have requests of a task for hosts that are not in memory."""
        self._stored_hosts[task] = self._stored_hosts.get(task, 0) + 1

    def tasks_with_stored_hosts(self) -> dict[int, int]:
        """Return the tasks that have hosts only in the store, with the number of times that was noted."""
        return dict(self._stored_hosts)

    def clear_stored_hosts(self, task: int) -> None:
        """Note that all hosts with requests of a task are in memory."""
        self._stored_hosts.pop(task, None)

    def add_host(self, host: str, pace: Pace) -> None:
        """Add a host with its remembered pace, unless it is in memory."""
        self._queues.setdefault(host, HostQueue(host, pace))

    def has_queue(self, host: str, task: int) -> bool:
        """Say whether a host is in memory with a window for a task."""
        queue = self._queues.get(host)
        return queue is not None and task in queue.windows

    def add_stored_host(self, host: str, task: int) -> None:
        """Add a host whose requests are in the store: after a restart, or when there was no room before."""
        queue = self._get_queue(host)
        if task not in queue.windows:
            self._enter(queue, task, RequestWindow(stored=True))
            self._need_loading[host, task] = None

    def update_priorities(self, host: str, task: int, changed: dict[int, Request]) -> None:
        """Change the priorities of requests that wait at a host."""
        queue = self._queues.get(host)
        if queue is None or task not in queue.windows:
            return
        queue.windows[task].update_priorities(changed)
        if queue.windows[task].needs_loading:
            self._need_loading[host, task] = None
        for best in self._best.values():
            best.update(queue)
        self._wait(queue)

    def load(self, host: str, task: int, best: list[Request], is_all: bool) -> None:
        """Add the best requests of the store, for a host and task that `needs_requests` named."""
        self._need_loading.pop((host, task), None)
        queue = self._queues[host]
        queue.windows[task].load(best, is_all)
        if task in self._best:
            self._best[task].update(queue)
        self._wait(queue)

    # Taking requests

    def needs_requests(self, most: int | None = None) -> list[tuple[str, int, set[int]]]:
        """Return hosts and tasks whose requests must be loaded, with the numbers of those in memory or under way."""
        return [
            (*place, self._queues[place[0]].windows[place[1]].held)
            for place in islice(self._need_loading, most)
        ]

    def take(
        self, now_s: float, held: Container[int] = (), requisites_only: Container[int] = ()
    ) -> Request | None:
        """Return the next request that may be sent now, or None.

        Tasks in `held` have to wait, and those in `requisites_only` have to wait with everything but requisites.
        """
        self._wake(now_s)
        for task in self._turns.sort_by_turn(
            [task for task, ready in self._ready.items() if ready and task not in held]
        ):
            if task in requisites_only:
                queue = self._pop_ready_requisite(task, now_s)
            else:
                queue = self._pop_ready(task, now_s)
            if queue is not None:
                if len(queue.windows) > 1 and task not in requisites_only:
                    task = self._choose_task(queue, task, held, requisites_only)
                self._turns.record_turn(task)
                self._begin(queue, now_s)
                return self._take_from(queue, task)
        return None

    def _choose_task(
        self, queue: HostQueue, task: int, held: Container[int], requisites_only: Container[int]
    ) -> int:
        """Return the task whose turn it is at a host: that of `task`, or another one that has requests there.

        Turns over all hosts are not enough: of two tasks, the one with more hosts would get none where both have requests.
        A task that is best first is not chosen here, since it waits for its best hosts.
        """
        away = self._best.keys() - {task}
        others = [
            each
            for each, window in queue.windows.items()
            if window
            and each in self._ready
            and not (each in away or each in held or each in requisites_only)
        ]
        return queue.choose_task(others, self._turns)

    def has_work(self) -> bool:
        """Say whether a request waits in memory, or may wait in the store."""
        return bool(self._waiting or self._need_loading or self._stored_hosts or any(self._ready.values()))

    def next_ready_s(self) -> float | None:
        """Return when the next host will be ready; None if no host waits."""
        return self._waiting[0][0] if self._waiting else None

    def count_hosts(self, now_s: float) -> dict[str, int]:
        """Count hosts by state: busy, ready, waiting, dead."""
        states = [queue.get_state(now_s) for queue in self._queues.values()]
        return {state: states.count(state) for state in ("busy", "ready", "waiting", "dead")}

    def list_turns(self, most: int) -> dict[str, tuple[float, float]]:
        """Return when hosts with requests may be asked, the next ones first, and the pause of each."""
        found = {}
        for _, _, queue in heapq.nsmallest(most, self._waiting):
            tasks = [self._politeness[task] for task in queue.windows if task in self._politeness]
            if tasks:
                strictest = max(tasks, key=lambda own: own.delay_s)
                pause_s = pacing.least_pause_s(queue.pace.crawl_delay_s, strictest)
                found[queue.name] = (queue.pace.ready_s, pause_s)
        return found

    # Recording what happened to a request

    def claim_address(self, request: Request, address: str, now_s: float) -> bool:
        """Set the address of a host; False if that address is busy or pausing: then `put_back` must follow."""
        if not self._politeness[request.task].per_address:
            return True
        queue = self._queues[request.host]
        if queue.address == address:
            return True
        if queue.address:  # the host has moved, and nothing was sent to its old address
            pacing.end_request(self._addresses[queue.address])
        shared = self._addresses.setdefault(address, Pace())
        queue.address = address
        if shared.busy or shared.ready_s > now_s:
            return False
        pacing.begin_request(shared, now_s)
        return True

    def put_back(self, request: Request) -> None:
        """Let a request wait again that was not sent because its address is busy."""
        queue = self._queues[request.host]
        pacing.end_request(queue.pace)
        self._close(queue, request, False)

    def postpone(self, request: Request, until_s: float) -> None:
        """Let a request that was not sent wait until this time at least."""
        queue = self._queues[request.host]
        self._release(queue)
        queue.pace.ready_s = max(queue.pace.ready_s, until_s)
        self._close(queue, request, False)

    def postpone_address(self, request: Request, until_s: float) -> None:
        """Like `postpone`, for all hosts at its address: another process uses the host or the address."""
        queue = self._queues[request.host]
        if queue.address:
            shared = self._addresses[queue.address]
            shared.ready_s = max(shared.ready_s, until_s)
        self.postpone(request, until_s)

    def addresses_of(self, host: str) -> tuple[str, ...]:
        """Return the address of a host, if it is known and politeness goes by address."""
        address = self._queues[host].address
        return (address,) if address else ()

    def ready_s(self, name: str) -> float:
        """Return the time from which a host or an address may be asked."""
        queue = self._queues.get(name)
        pace = queue.pace if queue is not None else self._addresses.get(name)
        return pace.ready_s if pace is not None else 0.0

    def skip(self, request: Request) -> None:
        """Finish a request that was not sent and will not be: no pause follows."""
        queue = self._queues[request.host]
        self._release(queue)
        self._close(queue, request, True)

    def least_pause_s(self, request: Request) -> float:
        """Return the least pause between two requests to a host."""
        queue = self._queues[request.host]
        return pacing.least_pause_s(
            queue.pace.crawl_delay_s, pacing.for_page(request.url, self._find_strictest(queue, request.task))
        )

    def borrow_host(self, host: str, now_s: float) -> bool:
        """Reserve a host for a request of another host, if it may be asked now; `release_host` must follow."""
        queue = self._get_queue(host)
        shared = self._addresses.get(queue.address)
        if any(pace and (pace.busy or pace.ready_s > now_s) for pace in (queue.pace, shared)):
            return False
        self._begin(queue, now_s)
        return True

    def release_host(self, host: str, task: int, now_s: float) -> None:
        """Release a borrowed host and start its pause."""
        queue = self._queues[host]
        politeness = self._find_strictest(queue, task)
        pacing.record_answer(queue.pace, politeness, now_s)
        if queue.address:
            pacing.record_answer(self._addresses[queue.address], politeness, now_s)
        self._wait(queue)

    def is_dead(self, host: str) -> bool:
        """Say whether a host has failed too often."""
        return self._queues[host].pace.dead

    def record_answer(self, request: Request, now_s: float, done: bool = True) -> None:
        """Record an answer and start the pause; not `done` after robots.txt, when the request itself still waits."""
        queue = self._queues[request.host]
        politeness = pacing.for_page(request.url, self._find_strictest(queue, request.task))
        pacing.record_answer(queue.pace, politeness, now_s)
        if queue.address:
            pacing.record_answer(self._addresses[queue.address], politeness, now_s)
        self._close(queue, request, done)

    def excuse_wait(self, request: Request, held_s: float) -> None:
        """Leave out of the time of an answer how long we did not read it."""
        queue = self._queues[request.host]
        for pace in (queue.pace, self._addresses.get(queue.address)):
            if pace is not None:
                pace.asked_s += held_s

    def record_failure(
        self, request: Request, now_s: float, retry_after_s: float | None = None, done: bool = True
    ) -> None:
        """Record that no answer came, or one such as 429; unless `done` the request is tried again later."""
        queue = self._queues[request.host]
        politeness = self._find_strictest(queue, request.task)
        pacing.record_failure(queue.pace, politeness, now_s, retry_after_s)
        if queue.address:
            # Other hosts at this address may work: they wait for the ordinary pause only.
            pacing.record_answer(self._addresses[queue.address], politeness, now_s)
        self._close(queue, request, done)

    def record_cancelled(self, request: Request, now_s: float) -> None:
        """Let a request wait again that was cancelled after it may have been sent: its host has its pause."""
        queue = self._queues[request.host]
        politeness = pacing.for_page(request.url, self._find_strictest(queue, request.task))
        pacing.record_end(queue.pace, politeness, now_s)
        if queue.address:
            pacing.record_end(self._addresses[queue.address], politeness, now_s)
        self._close(queue, request, False)

    def set_crawl_delay(self, host: str, crawl_delay_s: float) -> None:
        """Set the pause that a host's robots.txt asks for."""
        self._queues[host].pace.crawl_delay_s = crawl_delay_s

    def drop_requests(self, host: str, task: int) -> list[Request]:
        """Give up the waiting requests of a task at a host (over budget); return those in memory."""
        self._need_loading.pop((host, task), None)
        return self._queues[host].windows[task].drop()

    def remove_task(self, task: int) -> None:
        """Remove a task that has ended or pauses, with its requests; the store has them."""
        self._ready.pop(task, None)
        self._best.pop(task, None)
        self._turns.remove(task)
        self.clear_stored_hosts(task)
        for queue in self._queues.values():
            queue.windows.pop(task, None)
            queue.ready_for.discard(task)
        self._need_loading = {key: None for key in self._need_loading if key[1] != task}

    def forget_idle_hosts(self, now_s: float, keep: Container[str] = ()) -> int:
        """Remove hosts without requests whose pause is over (Schmitz 2001: CleanUpThread), except those in `keep`."""
        idle = [queue for queue in self._queues.values() if queue.is_idle(now_s) and queue.name not in keep]
        for queue in idle:
            del self._queues[queue.name]
        used = {queue.address for queue in self._queues.values()}
        for address, shared in list(self._addresses.items()):
            if not shared.under_way and shared.ready_s <= now_s and address not in used:
                del self._addresses[address]
        return len(idle)

    def pace(self, host: str) -> Pace | None:
        """Return the pace of a host, if it is in memory."""
        queue = self._queues.get(host)
        return queue.pace if queue else None

    # Private steps

    def _get_queue(self, host: str) -> HostQueue:
        queue = self._queues.get(host)
        if queue is None:
            queue = self._queues[host] = HostQueue(host, Pace())
        return queue

    def _enter(self, queue: HostQueue, task: int, window: RequestWindow) -> None:
        """Register a task at a host; its delay also applies after other tasks' requests."""
        queue.windows[task] = window
        due_s = queue.pace.ended_s + pacing.least_pause_s(queue.pace.crawl_delay_s, self._politeness[task])
        queue.pace.ready_s = max(queue.pace.ready_s, due_s)

    def _wait(self, queue: HostQueue) -> None:
        """Put a host in the waiting heap, if it has requests and is not there."""
        if not queue.waits and not queue.pace.busy and any(queue.windows.values()):
            queue.waits = True
            self._sequence += 1
            heapq.heappush(self._waiting, (queue.pace.ready_s, self._sequence, queue))
            for best in self._best.values():
                best.update(queue)

    def _wake(self, now_s: float) -> None:
        """Move the hosts whose pause is over to the ready hosts of their tasks."""
        while self._waiting and self._waiting[0][0] <= now_s:
            queue = heapq.heappop(self._waiting)[2]
            queue.waits = False
            if queue.pace.busy:
                continue
            if queue.pace.ready_s > now_s:
                self._wait(queue)
                continue
            for task, window in queue.windows.items():
                if window and task not in queue.ready_for and task in self._ready:
                    queue.ready_for.add(task)
                    self._ready[task].append(queue)

    def _pop_ready(self, task: int, now_s: float) -> HostQueue | None:
        """Pop ready hosts of a task until one can really be asked now."""
        ready = self._ready[task]
        if task in self._best and not self._best[task].should_take_now(now_s):
            return None
        while ready:
            queue = ready.popleft()
            queue.ready_for.discard(task)
            if queue.pace.busy or not queue.windows.get(task):
                continue
            shared = self._addresses.get(queue.address)
            if shared is not None and shared.busy:
                # A pause follows the request that uses the address now; check again soon.
                queue.pace.ready_s = max(queue.pace.ready_s, now_s + 0.05)
            elif shared is not None:
                queue.pace.ready_s = max(queue.pace.ready_s, shared.ready_s)
            if queue.pace.ready_s <= now_s:
                return queue
            self._wait(queue)
        return None

    def _pop_ready_requisite(self, task: int, now_s: float) -> HostQueue | None:
        """Pop ready hosts of a task until one can be asked for a requisite now; the others stay ready.

        Cost: O(hosts that are ready). This is for the end of a task whose page limit is reached.
        """
        passed: list[HostQueue] = []
        found = None
        while found is None and (queue := self._pop_ready(task, now_s)) is not None:
            if queue.windows[task].starts_with_requisite:
                found = queue
            else:
                passed.append(queue)
        for queue in passed:
            queue.ready_for.add(task)
            self._ready[task].append(queue)
        return found

    def _find_strictest(self, queue: HostQueue, task: int) -> Politeness:
        """Return the strictest politeness among the tasks queued here."""
        if len(queue.windows) < 2:
            return self._politeness[task]
        return max((self._politeness[each] for each in {task, *queue.windows}), key=lambda own: own.delay_s)

    def _release(self, queue: HostQueue) -> None:
        pacing.end_request(queue.pace)
        if queue.address:
            pacing.end_request(self._addresses[queue.address])

    def _begin(self, queue: HostQueue, now_s: float) -> None:
        pacing.begin_request(queue.pace, now_s)
        if queue.address:
            pacing.begin_request(self._addresses[queue.address], now_s)

    def _take_from(self, queue: HostQueue, task: int) -> Request:
        window = queue.windows[task]
        request = window.take()
        if window.needs_loading:
            self._need_loading[queue.name, task] = None
        if task in self._best:
            self._best[task].update(queue)
        self._wait(queue)  # further requests, if its pace lets several be under way
        return request

    def _close(self, queue: HostQueue, request: Request, done: bool) -> None:
        window = queue.windows.get(request.task)
        if window is not None:
            if done:
                window.finish(request.number)
            else:
                window.put_back(request)
        self._wait(queue)
