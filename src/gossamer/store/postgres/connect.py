"""Connections to PostgreSQL that come back by themselves, and one sentence for each thing that can go wrong.

This is the only module that imports psycopg. A connection sends as much as possible at once: the statements of a
transaction go out as one pipeline, so that a whole commit usually takes one round trip.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, groupby
from typing import Any, TypeVar

import msgspec

from gossamer.errors import BadInput, GossamerError, MissingExtra, StoreAway, StoreFailed
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.binary_columns import ARRAY_TYPES, ArrayType, PackedArray
from gossamer.store.postgres.failures import LeaseLost
from gossamer.store.postgres.refusals import explain_refusal
from gossamer.store.wait_for_store import NO_PATIENCE, Waiting

try:
    import psycopg
    from psycopg.adapt import Dumper
    from psycopg.types.string import ByteaBinaryLoader
except ImportError:
    raise MissingExtra("cluster", "psycopg") from None

Row = tuple[Any, ...]
Result = TypeVar("Result")

LEASE_LOST, BATCH_KNOWN = "GL001", "GL002"
"""Codes of errors that functions of the schema raise: a lease was lost; this batch was written before."""
# A server that was cut off from the network is noticed within half a minute, not after the two hours of the system.
_DEFAULTS = {
    "application_name": "gossamer",
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",
}
# Statements are look-ups by key and short walks along an index, and their plans are kept: a plan that was made while a
# table was small must not scan it when it has grown. Tables that have no index for a question are scanned all the same.
# The planner may still read a table that it knows to be almost empty, so plans are made anew from time to time, too.
_SETTINGS = {
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
    "client_min_messages": "error",
    "idle_in_transaction_session_timeout": "30s",
}
_PLANS_KEPT_S = 60.0
_MOST_TRIES = 5
_DEADLOCKS = {"40001", "40P01"}
_FULL, _NO_MEMORY = "53100", "53200"
_LOCKED = "55P03"
_GONE = ("57P", "08", "53300", "25P03")
"""Shutdown, a lost connection, and no free connection: what passes."""


_WRONG_QUERY = ("42", "22", "0A", "25006", "57014", "21", "26", "34", "2F", "38", "54")
"""Wrong words, values, or an attempt to write; 57014 is the limit of time."""


class Statement(msgspec.Struct, frozen=True):
    """One statement with its values."""

    sql: str
    values: tuple[object, ...] = ()


class CopyIn(msgspec.Struct, frozen=True):
    """Many rows for one table, in the binary format of COPY."""

    sql: str
    data: bytes


Step = Statement | CopyIn
_FORGET_PLANS = Statement("discard plans")


class BatchKnown(Exception):  # noqa: N818 - not an error: the answer to an earlier commit was lost
    """The database has this batch already."""


def _make_dumper(kind: ArrayType) -> type[Dumper]:
    class ArrayDumper(Dumper):
        """Passes packed arrays on as they are."""

        format = psycopg.pq.Format.BINARY
        oid = kind.array

        def dump(self, obj: PackedArray) -> bytes:
            return obj

    return ArrayDumper


class Session:
    """One connection. Threads take turns; a connection that was lost is replaced at the next call."""

    def __init__(self, address: Address, read_only: bool = False, setup: bool = False) -> None:
        self.address = address
        self.round_trips = 0
        """How often this session has waited for the server."""
        self.waiting = Waiting(NO_PATIENCE)
        """How reads wait for a server that is away."""
        self._read_only = read_only
        self._setup = setup
        """Whether it makes tables, for which plans need not be kept."""
        self._turn = threading.RLock()
        self._db: psycopg.Connection[Row] | None = None
        self._closed = False
        self._calls = 0
        self._streams = count()
        self._planned_s = time.monotonic()

    def query(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a query; after a lost connection, ask once more."""
        return self._read(lambda db: self._fetch(db, sql, values))

    def query_all(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Return the rows of several queries, which are asked in one round trip."""
        return self._read(lambda db: self._send(db, statements))

    def transact(self, steps: Sequence[Step]) -> list[list[Row]]:
        """Carry out steps in one transaction; return the rows of each statement.

        Raise `StoreAway` if the connection was lost: then the transaction may have been committed or not.
        """
        with self._turn:
            return self._attempt(lambda db: self._transact(db, steps), "written")

    def execute(self, sql: str) -> None:
        """Carry out statements without values, in one transaction; for making and upgrading tables."""
        with self._turn:
            self._attempt(lambda db: self._run_script(db, sql), "written")

    def execute_alone(self, sql: str) -> None:
        """Carry out a statement that no transaction may hold, such as one that writes a table anew."""
        with self._turn:
            self._attempt(lambda db: db.execute(sql, prepare=False), "written")

    def begin_snapshot(self) -> None:
        """Begin a transaction in which all queries see one state, until the session is closed."""
        begin = "begin isolation level repeatable read, read only; set local idle_in_transaction_session_timeout = 0"
        with self._turn:
            self._attempt(lambda db: db.execute(begin, prepare=False), "read")

    def stream(self, sql: str, at_once: int) -> Iterator[list[Row]]:
        """Yield the rows of a query in a snapshot, some at a time; texts come as bytes."""
        db = self._connect()
        try:
            with db.cursor(f"stream_{next(self._streams)}", scrollable=False) as cursor:
                cursor.adapters.register_loader("text", ByteaBinaryLoader)
                cursor.execute(sql, binary=True)
                while rows := cursor.fetchmany(at_once):
                    self.round_trips += 1
                    yield rows
        except psycopg.Error as error:
            raise explain_failure(self.address, error, "read") from error

    def stream_columns(self, sql: str, at_once: int) -> Iterator[list[Row]]:
        """Yield the names of the columns of one query, then its rows, some at a time; for queries of people.

        Errors of the query are BadInput with the server's words.
        """
        db = self._connect()
        try:
            with db.cursor(f"stream_{next(self._streams)}", scrollable=False) as cursor:
                cursor.execute(sql)
                yield [tuple(column.name for column in cursor.description or ())]
                while rows := cursor.fetchmany(at_once):
                    yield rows
        except psycopg.Error as error:
            if (error.sqlstate or "").startswith(_WRONG_QUERY):
                raise BadInput(f"this query does not work: {_quote(error)}") from None
            raise explain_failure(self.address, error, "read") from error

    def copy_out(self, sql: str) -> Iterator[bytes]:
        """Yield the rows of a COPY statement, each as a line."""
        db = self._connect()
        try:
            with db.cursor() as cursor, cursor.copy(sql) as copy:
                for row in copy:
                    yield bytes(row)
        except psycopg.Error as error:
            raise explain_failure(self.address, error, "read") from error

    def copy_in(self, sql: str, pieces: Iterable[bytes]) -> None:
        """Carry out a COPY statement with these bytes."""
        db = self._connect()
        try:
            with db.cursor() as cursor, cursor.copy(sql) as copy:
                for piece in pieces:
                    copy.write(piece)
        except psycopg.Error as error:
            raise explain_failure(self.address, error, "written") from error

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Keep other threads from using the session."""
        with self._turn:
            yield

    def close(self) -> None:
        """Close the connection; the session cannot be used any more."""
        with self._turn:
            self._closed = True
            self._drop()

    # Inside

    def _read(self, action: Callable[["psycopg.Connection[Row]"], Result]) -> Result:
        return self.waiting.repeat(lambda: self._read_now(action))

    def _read_now(self, action: Callable[["psycopg.Connection[Row]"], Result]) -> Result:
        with self._turn:
            fresh = self._db is None
            try:
                return self._attempt(action, "read")
            except StoreAway:
                if fresh:
                    raise
                return self._attempt(action, "read")

    def _attempt(self, action: Callable[["psycopg.Connection[Row]"], Result], doing: str) -> Result:
        if self._closed:
            raise StoreFailed(f"{self.address} is closed")
        for attempt in range(_MOST_TRIES):
            db = self._connect()
            try:
                return action(db)
            except psycopg.Error as error:
                self._recover(db)
                # One of two transactions that wait for each other is given up; nothing of it was written.
                if error.sqlstate in _DEADLOCKS and attempt < _MOST_TRIES - 1:
                    continue
                raise explain_failure(self.address, error, doing) from error
            except BaseException:
                self._drop()
                raise
        raise AssertionError("unreachable")

    def _connect(self) -> "psycopg.Connection[Row]":
        if self._db is not None and not self._db.closed:
            return self._db
        settings = _SETTINGS | {"search_path": self.address.schema}
        if self._setup:
            settings = {"search_path": self.address.schema, "client_min_messages": "error"}
        if self._read_only:
            settings["default_transaction_read_only"] = "on"
        given = {**_DEFAULTS, **self.address.parameters}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        try:
            db = psycopg.connect(**given, options=options, autocommit=True, prepare_threshold=0)  # type: ignore[arg-type]
        except psycopg.Error as error:
            raise explain_connect_failure(self.address, error) from None
        for kind in ARRAY_TYPES:
            db.adapters.register_dumper(kind, _make_dumper(kind))
        self._db = db
        return db

    def _fetch(self, db: "psycopg.Connection[Row]", sql: str, values: Sequence[object]) -> list[Row]:
        if self._are_plans_old():
            return self._send(db, [_FORGET_PLANS, Statement(sql, tuple(values))])[1]
        self.round_trips += 1
        return db.execute(sql, values, binary=True).fetchall()

    def _are_plans_old(self) -> bool:
        """Say whether to make plans anew: when the number of calls has doubled, and after a minute."""
        self._calls += 1
        doubled, now_s = self._calls & (self._calls - 1) == 0, time.monotonic()
        if doubled or now_s - self._planned_s > _PLANS_KEPT_S:
            self._planned_s = now_s
            return True
        return False

    def _transact(self, db: "psycopg.Connection[Row]", steps: Sequence[Step]) -> list[list[Row]]:
        before = [Statement("begin"), *([_FORGET_PLANS] if self._are_plans_old() else [])]
        whole: list[Step] = [*before, *steps, Statement("commit")]
        found: list[list[Row]] = []
        for are_statements, some in groupby(whole, lambda step: isinstance(step, Statement)):
            if are_statements:
                found += self._send(db, [step for step in some if isinstance(step, Statement)])
            else:
                for step in some:
                    self._copy(db, step)
        return found[len(before) : -1]

    def _send(self, db: "psycopg.Connection[Row]", statements: Sequence[Statement]) -> list[list[Row]]:
        """Send statements at once, then wait for all of their answers."""
        self.round_trips += 1
        with db.pipeline():
            cursors = [db.execute(one.sql, one.values or None, binary=True) for one in statements]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]

    def _copy(self, db: "psycopg.Connection[Row]", step: Step) -> None:
        assert isinstance(step, CopyIn)  # noqa: S101 - for the type checker
        self.round_trips += 2
        with db.cursor() as cursor, cursor.copy(step.sql) as copy:
            copy.write(step.data)

    def _run_script(self, db: "psycopg.Connection[Row]", sql: str) -> None:
        self.round_trips += 1
        with db.transaction():
            db.execute(sql, prepare=False)

    def _recover(self, db: "psycopg.Connection[Row]") -> None:
        """Make the connection usable again after an error, or drop it."""
        try:
            if not db.closed and db.info.transaction_status is not psycopg.pq.TransactionStatus.IDLE:
                db.rollback()
        except psycopg.Error:
            self._drop()
        if db.closed or db.broken:
            self._drop()

    def _drop(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
        self._db = None


def explain_failure(address: Address, error: "psycopg.Error", doing: str) -> Exception:
    """Return an exception that explains why an open web could not be `written` or `read`."""
    code = error.sqlstate or ""
    if code == LEASE_LOST:
        return LeaseLost(int(group) for group in (error.diag.message_detail or "").split())
    if code == BATCH_KNOWN:
        return BatchKnown()
    if code == _FULL:
        return StoreFailed(f"{address} could not be {doing}: the disk of the server is full", full=True)
    if code == _NO_MEMORY:
        hint = "raise max_locks_per_transaction if many fetchers write at once"
        return StoreAway(
            f"{address} could not be {doing}: the server is out of memory ({_quote(error)}): {hint}"
        )
    if code.startswith(_GONE) or (not code and isinstance(error, psycopg.OperationalError)):
        return StoreAway(f"{address} could not be {doing}: the connection was lost ({_quote(error)})")
    if code == _LOCKED:
        return StoreAway(f"{address} could not be {doing}: another program keeps it locked")
    if code == "42501":
        return StoreFailed(f"{address} could not be {doing}: this user lacks the rights ({_quote(error)})")
    if code == "25006":
        # After a failover, the former server may answer for a while.
        return StoreAway(f"{address} could not be {doing}: the server allows reading only")
    if code == "42P01":
        return BadInput(f"{address} lacks a table of a web ({_quote(error)})")
    return StoreFailed(f"{address} could not be {doing}: {_quote(error)}")


def explain_connect_failure(address: Address, error: "psycopg.Error") -> GossamerError:
    """Return an exception that explains why a server could not be reached or refused the connection."""
    message = _quote(error)
    if meaning := explain_refusal(message):
        return BadInput(f"{address} cannot be opened: {meaning}")
    return StoreAway(f"{address} cannot be reached: {message}")


def _quote(error: "psycopg.Error") -> str:
    """Return the first line of the server's message; without hints, statements and values."""
    text = error.diag.message_primary or next(iter(str(error).splitlines()), "")
    text = text.removeprefix("connection failed: ")
    return "".join(char if char.isprintable() else " " for char in text).strip()
