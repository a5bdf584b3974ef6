"""In which WARC files the segments of a shared archive were packed, in the database of the web."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby

from gossamer.store.postgres.address import Address
from gossamer.store.postgres.binary_columns import Int8s, Texts, pack_array
from gossamer.store.postgres.connect import Session, Statement
from gossamer.store.shared_archive.pack_table import Pack, PackedSegment
from gossamer.store.shared_archive.segment_name import SegmentName

TABLES = """
-- WARC files made of segments. State: 0 claimed, 1 finished, 2 settled (the segments are deleted), 3 abandoned.
create table pack (
    name text collate "C" primary key,
    state smallint not null default 0,
    since timestamptz not null default clock_timestamp()
);
alter table archive add column added timestamptz not null default clock_timestamp(),
    add column pack text collate "C", add column base bigint;
create index archive_unpacked on archive (added, warc) where pack is null;
create index archive_pack on archive (pack, base) where pack is not null;
"""

FUNCTIONS = """
create or replace function claim_segments(pack_name text, segments text[], bases bigint[]) returns boolean
language plpgsql as $$
begin
    perform from archive where warc = any(segments) and archive.pack is null order by warc for update;
    if (select count(*) from archive where warc = any(segments) and archive.pack is null) < cardinality(segments)
        or exists (select from pack where name = pack_name)
    then
        return false;
    end if;
    insert into pack (name) values (pack_name);
    update archive set pack = pack_name, base = one.base from unnest(segments, bases) as one (warc, base)
        where archive.warc = one.warc;
    return true;
end $$;

create or replace function change_pack(pack_name text, before integer, after integer) returns boolean
language plpgsql as $$
begin
    update pack set state = after, since = clock_timestamp() where name = pack_name and state = before;
    if not found then
        return false;
    end if;
    if after = 3 then
        update archive set pack = null, base = null where archive.pack = pack_name;
    end if;
    return true;
end $$;
"""
_COMMITTED = "select warc, bytes from archive order by added, warc"
_CLAIMED, _FINISHED, _SETTLED, _ABANDONED = range(4)
# One time for all rows of a pack.
_UNSETTLED = """
select pack.name, pack.state, extract(epoch from statement_timestamp() - pack.since)::float8, archive.warc, archive.bytes
from pack join archive on archive.pack = pack.name where pack.state < 2 order by pack.since, pack.name, archive.base
"""


class DatabasePacks:
    """The table of packs of one web."""

    def __init__(self, address: Address) -> None:
        self._session = Session(address)

    def is_empty(self) -> bool:
        """Say whether no segment was committed yet."""
        [(found,)] = self._session.query("select exists (select from archive)")
        return not found

    def unpacked(self, most: int) -> Sequence[tuple[str, int]]:
        """Return up to `most` committed segments that no pack has claimed, with their lengths, oldest first."""
        oldest = "select warc, bytes from archive where pack is null order by added, warc limit %s"
        return [(warc, size) for warc, size in self._session.query(oldest, (most,))]

    def claim(self, pack: str, segments: Sequence[tuple[str, int]]) -> bool:
        """Claim segments for a new pack; return False if one of them is claimed already."""
        bases, end = [], 0
        for _, size in segments:
            bases.append(end)
            end += size
        names = pack_array(Texts, [name for name, _ in segments])
        return self._change("select claim_segments(%s, %s, %s)", pack, names, pack_array(Int8s, bases))

    def finish(self, pack: str) -> bool:
        """Let the segments be read from their pack from now on; return False if it was abandoned."""
        return self._change("select change_pack(%s, %s, %s)", pack, _CLAIMED, _FINISHED)

    def abandon(self, pack: str) -> bool:
        """Give up a pack that is not finished, so that it cannot be any more; return False if it is finished."""
        return self._change("select change_pack(%s, %s, %s)", pack, _CLAIMED, _ABANDONED)

    def settle(self, pack: str) -> None:
        """Note that the objects of the pack's segments were deleted."""
        self._change("select change_pack(%s, %s, %s)", pack, _FINISHED, _SETTLED)

    def find(self, segments: Iterable[str]) -> dict[str, PackedSegment]:
        """Return where those of these segments are that are in a finished pack."""
        these = (
            "select archive.warc, archive.pack, archive.base from archive join pack on pack.name = archive.pack "
            "where archive.warc = any(%s) and pack.state in (1, 2)"
        )
        found = self._session.query(these, (pack_array(Texts, [*segments]),))
        return {segment: PackedSegment(pack, base) for segment, pack, base in found}

    def unsettled(self) -> Sequence[Pack]:
        """Return the packs that are not settled, oldest first."""
        return [
            Pack(name, tuple((warc, size) for *_, warc, size in rows), state == _FINISHED, age_s)
            for (name, state, age_s), rows in groupby(self._session.query(_UNSETTLED), lambda row: row[:3])
        ]

    def known(self, packs: Iterable[str]) -> set[str]:
        """Return those of these names that are claimed or finished."""
        these = "select name from pack where name = any(%s) and state < 3"
        return {name for (name,) in self._session.query(these, (pack_array(Texts, [*packs]),))}

    def list_committed(self) -> list[tuple[str, int]]:
        """Return all committed segments with their lengths, packed or not, in the order in which they were committed."""
        return [(warc, size) for warc, size in self._session.query(_COMMITTED)]

    def find_abandoned(self, segments: Sequence[SegmentName]) -> list[str]:
        """Return the names of those segments that are not committed, and whose fetcher has left or is forgotten.

        Both are looked up in one statement: a fetcher leaves after its last commit.
        """
        these = (
            "select given.warc from unnest(%s, %s) as given (warc, writer) "
            "where not exists (select from archive where archive.warc = given.warc) "
            "and not exists (select from fetcher where fetcher.number = given.writer)"
        )
        names = pack_array(Texts, [str(one) for one in segments])
        writers = pack_array(Int8s, [one.epoch for one in segments])
        return [name for (name,) in self._session.query(these, (names, writers))]

    def announce(self, pack: str) -> None:
        """Note the name of a pack that is about to be stored without a claim, in a web that is being copied."""
        self._session.transact([Statement("insert into pack (name) values (%s)", (pack,))])

    def add_whole(self, pack: str, segments: Sequence[tuple[str, int]]) -> None:
        """Add the segments of an announced pack that was stored; they never had objects of their own."""
        bases = [0, *accumulate(size for _, size in segments)]
        names = pack_array(Texts, [name for name, _ in segments])
        sizes = pack_array(Int8s, [size for _, size in segments])
        add = (
            "insert into archive (warc, bytes, pack, base, added) select given.warc, given.bytes, %s, given.base, "
            "now() + given.place * interval '1 microsecond' "
            "from unnest(%s, %s, %s) with ordinality as given (warc, bytes, base, place)"
        )
        self._session.transact(
            [
                Statement(add, (pack, names, sizes, pack_array(Int8s, bases[:-1]))),
                Statement("update pack set state = %s where name = %s", (_SETTLED, pack)),
            ]
        )

    def replace(self, old: str, new: str) -> None:
        """Let the segments of a pack be read from another one from now on, at the same places."""
        moved = "update archive set pack = %s where pack = %s"
        state = "update pack set state = %s, since = clock_timestamp() where name = %s"
        self._session.transact(
            [
                Statement(moved, (new, old)),
                Statement(state, (_SETTLED, new)),
                Statement(state, (_ABANDONED, old)),
            ]
        )

    def list_replaced(self) -> list[str]:
        """Return the packs that hold no segment any more, or never did; no packer may be at work."""
        these = "select name from pack where not exists (select from archive where archive.pack = pack.name)"
        return [name for (name,) in self._session.query(these)]

    def list_packed(self) -> list[tuple[str, str, int, int]]:
        """Return the pack, the name, the base and the length of each segment that is in a finished pack, in this order."""
        these = (
            "select archive.pack, archive.warc, archive.base, archive.bytes from archive join pack on pack.name = archive.pack "
            "where pack.state in (1, 2) order by archive.pack, archive.base"
        )
        return [(pack, warc, base, size) for pack, warc, base, size in self._session.query(these)]

    def take_number(self) -> int:
        """Return a number that no fetcher has had or will have, for another writer of segments."""
        take = "select nextval(pg_get_serial_sequence('fetcher', 'number'))"
        [[(number,)]] = self._session.transact([Statement(take)])
        return int(number)

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def __del__(self) -> None:
        self.close()  # readers of archives are not closed

    def _change(self, sql: str, *values: object) -> bool:
        [[(changed,)]] = self._session.transact([Statement(sql, values)])
        return bool(changed)
