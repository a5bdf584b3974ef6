"""A fetcher without sockets: membership, leases, heartbeat and turns are those of the real one, visits are pretended."""

from functools import partial
from typing import Any

from tests.simulation.pretend_database import PretendLeases
from tests.simulation.simulated_world import Machine, SimulatedWorld

from gossamer.cluster.address_turns import AddressTurns
from gossamer.cluster.background_exchange import EXCHANGE_S, LOOK_S
from gossamer.cluster.browser_hosts import BrowserHosts
from gossamer.cluster.fetcher import IDLE_S, MOST_FETCHERS, Fetcher
from gossamer.cluster.heartbeat import RENEWALS, Heartbeat
from gossamer.crawl.host_shards import Territory
from gossamer.errors import StoreFailed
from gossamer.store.postgres.failures import LeaseLost

CAPACITY = 64
COMMIT_S = 5.0
LOOK_AGAIN_S = 0.1
_TRIES = 20


class Part:
    """A part of the web that a fetcher crawls, until it is stopped and its visits have ended."""

    def __init__(self, first_s: float, epochs: dict[int, int], turns: AddressTurns) -> None:
        self._first_s = first_s
        """When hosts may be asked at the earliest: a former owner may have asked them a moment ago."""
        self.epochs = epochs
        self.groups = sorted(epochs)
        self.turns = turns
        self.ready_s: dict[int, float] = {}
        self.busy: set[int | str] = set()
        """Hosts and addresses with a visit: the frontier of a fetcher has one at a time."""
        self.pages: dict[int, tuple[int, int]] = {}
        """Pages that are not yet written: for each host, the number of the first and how many."""
        self.visits = 0
        self.stopped = self.ended = self.is_exchange_due = False

    def find_ready_s(self, host: int) -> float:
        """Return when a host may be asked."""
        return self.ready_s.get(host, self._first_s)

    def stop(self, why: str, leave: bool = True) -> None:
        """Begin no more visits."""
        self.stopped = True


class SimulatedFetcher(Fetcher):
    """Runs on a machine of a simulated world; `_settle_leases` and `_follow_standing` are inherited."""

    def __init__(self, world: SimulatedWorld) -> None:  # the real one connects to a database
        self._world = world
        self.machine = Machine()
        self._lease_s = world.options.lease_s
        self._leases: Any = PretendLeases(world.database, self._lease_s)
        self._browsers = BrowserHosts()
        self._crawl: Any = None
        self._epochs = {}
        # Its clock shows the database's time within a millisecond, as after `_read_clock`.
        self._error_s = world.chance.uniform(-0.0005, 0.0005)

    @property
    def number(self) -> int:
        """Its number in the database."""
        return int(self._leases.fetcher)

    def start(self) -> None:
        """Join, and crawl."""
        self._leases.join(CAPACITY)
        self._heartbeat = Heartbeat(
            self._leases, lambda: b"{}", self._follow_standing, self._give_up, self._lease_s
        )
        self._heartbeat.beat()
        beat = partial(self._beat, self._heartbeat)
        self._world.schedule(self.machine, self._lease_s / RENEWALS * self._world.chance.random(), beat)
        self._begin_part()

    def die(self) -> None:
        """Vanish with all that was not written."""
        self.machine.dead = True
        if self._crawl is not None:
            self._world.counts.dropped += sum(number for _, number in self._crawl.pages.values())

    def _beat(self, heartbeat: Heartbeat) -> None:
        """Renew the lease, as the thread of the heartbeat does."""
        if heartbeat is not self._heartbeat:
            return
        try:
            self._follow_standing(heartbeat.beat())
        except LeaseLost as lost:
            self._give_up(lost)
            return
        self._world.schedule(self.machine, self._lease_s / RENEWALS, partial(self._beat, heartbeat))

    def _give_up(self, failure: StoreFailed) -> None:
        if self._crawl is not None:
            self._crawl.stop("the leases were lost")

    # A part of the web

    def _begin_part(self) -> None:
        world = self._world
        epochs = self._settle_leases()
        if not epochs:
            world.schedule(self.machine, IDLE_S, self._begin_part)
            return
        assert self._heartbeat is not None
        self._heartbeat.depend_on(epochs)
        territory = Territory(self.number % MOST_FETCHERS, MOST_FETCHERS, frozenset(epochs))
        world.database.release_turns(self.number, world.options.pause_s)
        session: Any = world.database
        turns = AddressTurns(session, self.number, territory, self._read_time, self._heartbeat.is_alive)
        part = self._crawl = Part(self._read_time() + world.options.pause_s + 0.001, epochs, turns)
        self._epochs = epochs
        world.counts.parts += 1
        for _ in range(world.options.visits):
            world.schedule(self.machine, world.options.pause_s, partial(self._visit_next, part))
        world.schedule(self.machine, COMMIT_S, partial(self._commit_often, part))
        world.schedule(self.machine, LOOK_S, partial(self._look_often, part))

    def _read_time(self) -> float:
        return self._world.now_s + self._error_s

    def _end_if_done(self, part: Part) -> None:
        """Write and give back everything when the last visit of a stopped part has ended, and begin the next part."""
        if part.ended or not part.stopped or part.visits:
            return
        part.ended = True
        try:
            self._commit(part)
            part.turns.give_all()
            self._crawl = None
            self._begin_part()
        except LeaseLost:
            self._join_again(part)

    def _join_again(self, part: Part) -> None:
        """Drop what was not written, and begin as a new member."""
        self._world.counts.refused += 1
        self._world.counts.dropped += sum(number for _, number in part.pages.values())
        part.stopped = part.ended = True
        self._crawl = None
        self.start()

    # Visits

    def _visit_next(self, part: Part) -> None:
        if not part.stopped:
            world = self._world
            for _ in range(_TRIES):
                # Few hosts have much work: those with the lowest numbers of each group.
                hosts = world.hosts[world.chance.choice(part.groups)]
                host = hosts[int(world.chance.random() ** 3 * len(hosts))] if hosts else -1
                if host >= 0 and part.find_ready_s(host) <= self._read_time():
                    self._visit(part, host, _TRIES)
                    return
            world.schedule(self.machine, LOOK_AGAIN_S, partial(self._visit_next, part))
        self._end_if_done(part)

    def _visit(self, part: Part, host: int, tries: int) -> None:
        """Take the turn at a host and its address, wait for it, or give the visit up after some tries."""
        world = self._world
        if part.stopped or not tries:
            self._visit_next(part)
            return
        address = world.address(host)
        if part.busy.isdisjoint((host, address)) and part.find_ready_s(host) <= self._read_time():
            wait_s = part.turns.begin((world.name(host), address), world.options.pause_s)
        else:
            wait_s = LOOK_AGAIN_S
        if wait_s:
            if part.turns.is_waiting and not part.is_exchange_due:
                part.is_exchange_due = True
                world.schedule(self.machine, EXCHANGE_S, partial(self._exchange, part))
            world.schedule(self.machine, wait_s, partial(self._visit, part, host, tries - 1))
            return
        answer_s = world.chance.expovariate(2.0) + 0.02
        world.ask(self.number, part.epochs, host, answer_s)
        part.visits += 1
        part.busy |= {host, address}
        world.schedule(self.machine, answer_s, partial(self._end_visit, part, host))

    def _end_visit(self, part: Part, host: int) -> None:
        pause_s = self._world.options.pause_s + 0.001  # clocks differ by less
        address = self._world.address(host)
        part.turns.end({self._world.name(host): pause_s, address: pause_s})
        part.visits -= 1
        part.busy -= {host, address}
        part.ready_s[host] = self._world.now_s + pause_s
        first, number = part.pages.get(host, (self._world.database.kept.get(host, 0), 0))
        part.pages[host] = first, number + 1
        self._visit_next(part)

    # In the background

    def _exchange(self, part: Part) -> None:
        part.is_exchange_due = False
        if not part.ended:
            part.turns.exchange()

    def _look_often(self, part: Part) -> None:
        if not part.ended:
            part.turns.exchange()
            self._world.schedule(self.machine, LOOK_S, partial(self._look_often, part))

    def _commit_often(self, part: Part) -> None:
        if part.ended:
            return
        try:
            self._commit(part)
        except LeaseLost:
            self._join_again(part)
            return
        self._world.schedule(self.machine, COMMIT_S, partial(self._commit_often, part))

    def _commit(self, part: Part) -> None:
        self._world.database.commit(self.number, part.epochs, part.pages)
        self._world.counts.kept += sum(number for _, number in part.pages.values())
        part.pages = {}
