"""The tables of a web in PostgreSQL, in a schema of their own, and the functions beside them.

They are those of `store.sqlite.schema`, but for four ideas (docs/decisions/0028):

- Large tables have partitions: by share what the owner of a share reads (requests, seen keys), by page what people
  ask about a page (pages, links, visits, known URLs).
- The number of a row contains the number of its transaction, so that rows of later transactions have higher numbers.
  A transaction may become visible after one with a higher number. Readers that go on from a number therefore read up
  to `horizon()`, below which no transaction is unfinished; they do not wait, and miss nothing.
- What every commit changes (totals, counts of tasks) has one row for each writer, so that writers do not wait for
  each other.
- A writer numbers its batches, and the number of the last one is written with it: a batch whose answer was lost is
  not written twice.
"""

from collections.abc import Iterable

from gossamer.store.postgres.coordination import fetcher_tables, packs
from gossamer.store.postgres.share_groups import GROUP_BITS, GROUPS, SHARES

APPLICATION = "gossamer"
VERSION = 2
"""The version of the format. When you change a table, add one, and add the upgrade to `UPGRADES`."""
UPGRADES: dict[int, tuple[str, ...]] = {
    # Fetchers that found the same URL had each added it to the known ones.
    1: (
        "delete from known using known other where other.id = known.id "
        "and (other.tableoid, other.ctid) < (known.tableoid, known.ctid)",
        "drop index known_id",
        "create unique index known_id on known (id)",
        "update total set known = 0",
        "insert into total (slot) values (0) on conflict do nothing",
        "update total set known = (select count(*) from known) where slot = 0",
    ),
}
"""For each version, the statements that upgrade it to the next one."""

PARTITIONS = 16
SLOTS = 1024
"""Rows of totals and counts; writers with the same slot take turns."""
NUMBER_BITS = 22
"""A transaction gives numbers to four million rows of a table, and a web has room for two trillion transactions."""

_TABLES = """
create table web (
    application text not null,
    version integer not null,
    created timestamptz not null default clock_timestamp(),
    server text not null, -- its identity: after a restore on another server, transactions have smaller numbers
    transactions_before bigint not null default 0 -- added to the numbers of transactions
);

-- The number of the first row of this transaction, less one.
create function first_number() returns bigint language sql stable as
    'select (pg_current_xact_id()::text::bigint + transactions_before) << {number_bits} from web';
-- All rows with a smaller number are visible, or will never be.
create function horizon() returns bigint language sql stable as
    'select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + transactions_before) << {number_bits} from web';

create table total (
    slot smallint primary key,
    pages bigint not null default 0,
    links bigint not null default 0,
    known bigint not null default 0,
    visits bigint not null default 0,
    last_number bigint not null default 0
);

-- Writers and their last batches.
create table writer (id bigint primary key, batch bigint not null, at timestamptz not null default clock_timestamp());

create table task (
    number integer primary key,
    name text not null,
    spec bytea not null,
    state text not null,
    reason text not null,
    created_s float8 not null,
    ended_s float8 not null
);
create table task_count (
    task integer not null,
    name text not null,
    slot smallint not null,
    value bigint not null,
    primary key (task, name, slot)
) with (fillfactor = 50);

create table host (
    name text collate "C" primary key,
    ready_s float8 not null,
    crawl_delay_s float8 not null,
    failures integer not null,
    address text not null,
    robots bytea,
    robots_status integer not null,
    robots_s float8 not null
);

-- Waiting requests by host, best first.
create table request (
    share integer not null,
    task integer not null,
    rank float8 not null, -- the negative of the priority, so that the best comes first
    number bigint not null,
    id bigint not null,
    parent bigint not null,
    depth integer not null,
    attempt integer not null,
    hops integer not null,
    host text collate "C" not null,
    url text collate "C" not null,
    type text not null,
    primary key (share, task, host, rank, number)
) partition by range (share);

create table waiting (
    task integer not null,
    host text collate "C" not null,
    share integer not null,
    requests bigint not null,
    primary key (task, host)
) with (fillfactor = 70);

create table budget (
    task integer not null,
    host text collate "C" not null,
    pages bigint not null,
    primary key (task, host)
) with (fillfactor = 70);

-- Requests until the owner of their share accepts them.
create table inbox (
    number bigint primary key,
    share integer not null,
    task integer not null,
    page bigint not null,
    request bytea not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index inbox_group on inbox ((share >> {group_bits}), number);

create table widening (
    number bigint generated by default as identity primary key,
    task integer not null,
    depth integer not null,
    shard integer not null,
    shards integer not null,
    after bigint not null
);

create table page (
    number bigint not null,
    id bigint primary key,
    url text not null,
    host text collate "C" not null,
    task integer not null,
    depth integer not null,
    fetched_s float8 not null,
    status integer not null,
    kind text not null,
    title text not null,
    language text not null,
    declared_language text not null,
    description text not null,
    body_bytes bigint not null,
    digest text collate "C" not null,
    text_digest bigint not null,
    simhash bigint not null,
    words bigint not null,
    etag text not null,
    last_modified text not null,
    "index" smallint not null,
    archive smallint not null,
    cut text not null,
    marks bytea not null,
    warc text not null,
    warc_offset bigint not null
) partition by hash (id);
create index page_number on page (number);
create index page_digest on page (digest, number);

create table link (
    number bigint not null,
    source bigint not null,
    links integer not null, -- how many
    targets bytea not null, -- 64-bit integers, little-endian
    kinds bytea not null,
    texts bytea not null
) partition by hash (source);
create index link_number on link (number);
create index link_source on link (source);

create table visit (
    number bigint not null,
    page bigint not null,
    task integer not null,
    when_s float8 not null,
    result text not null,
    status integer not null,
    cause text not null,
    detail text not null,
    took_s float8 not null,
    body_bytes bigint not null,
    address text not null,
    text_digest bigint not null,
    warc text not null,
    warc_offset bigint not null
) partition by hash (page);
create index visit_number on visit (number);
create index visit_page on visit (page, number);

create table decision (
    number bigint primary key,
    page bigint not null,
    task integer not null,
    when_s float8 not null,
    rule text collate "C" not null,
    detail text not null
);
create index decision_page on decision (page, number);

create table note (
    room text collate "C" not null,
    name text collate "C" not null,
    value bytea not null,
    primary key (room, name)
);

create table known (id bigint not null, url text not null) partition by hash (id);
create unique index known_id on known (id);

-- Keys of the seen set by the group of shares that they belong to; -1 if that is not known.
create table seen (
    number bigint not null,
    share_group smallint not null,
    keys bytea not null
) partition by range (share_group);
create index seen_number on seen (number);
create index seen_group on seen (share_group);

create table archive (warc text collate "C" primary key, bytes bigint not null);

-- Which rows of links lead to a page, filled at the first look-up; see late_links.py.
create table run (number integer primary key, after bigint not null, upto bigint not null, rows bigint not null);
create table sorted (
    run integer not null,
    first bigint not null,
    last bigint not null,
    keys bytea not null,
    numbers bytea not null
);
create index sorted_last on sorted (run, last, first);

-- Who crawls: each fetcher's lease covers the groups of shares that it owns, until it expires.
create table fetcher (
    number integer generated always as identity primary key,
    name text not null,
    machine text not null,
    capacity integer not null,
    joined timestamptz not null default clock_timestamp(),
    renewed timestamptz not null default clock_timestamp(),
    expires timestamptz not null,
    status bytea not null
) with (fillfactor = 50);
create table lease (
    share_group smallint primary key,
    owner integer,
    epoch bigint not null default 0,
    since timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
insert into lease (share_group) select generate_series(0, {groups} - 1);
"""

FUNCTIONS = """
-- Begins the batch of a writer; refuses one that was written before.
create or replace function begin_batch(writer_id bigint, batch_number bigint, writer_slot integer) returns void
language plpgsql as $$
begin
    insert into writer (id, batch) values (writer_id, batch_number)
        on conflict (id) do update set batch = excluded.batch, at = clock_timestamp()
        where writer.batch < excluded.batch;
    if not found then
        raise exception 'this batch was written before' using errcode = 'GL002';
    end if;
    insert into total (slot) values (writer_slot) on conflict do nothing;
end $$;

-- Adds URLs that are not known yet, and counts them: other fetchers may have found them too.
create or replace function add_known(ids bigint[], urls text[], writer_slot integer) returns void
language plpgsql as $$
declare added bigint;
begin
    insert into known (id, url) select given.id, given.url from unnest(ids, urls) as given (id, url) on conflict do nothing;
    get diagnostics added = row_count;
    update total set known = known + added where slot = writer_slot;
end $$;

-- Refuses a transaction of a fetcher that has lost one of these leases. The fetcher that takes them waits until it has ended.
create or replace function lock_fetcher(fetcher_number integer) returns void language sql as
    'select pg_advisory_xact_lock_shared(''web''::regclass::oid::integer, fetcher_number)';
create or replace function require_leases(fetcher_number integer, groups smallint[], epochs bigint[]) returns void
language plpgsql as $$
declare lost text;
begin
    select string_agg(wanted.share_group::text, ' ') into lost
        from unnest(groups, epochs) as wanted (share_group, epoch)
        left join lease on lease.share_group = wanted.share_group
            and lease.owner = fetcher_number and lease.epoch = wanted.epoch
        where lease.owner is null;
    if lost is not null then
        raise exception 'a lease was lost' using errcode = 'GL001', detail = lost;
    end if;
end $$;

-- Takes free groups, and those of fetchers whose lease has expired: their open transactions are ended first.
create or replace function take_leases(fetcher_number integer, most integer)
returns table (taken smallint, taken_epoch bigint) language plpgsql as $$
declare
    room constant integer := 'web'::regclass::oid::integer;
    silent integer;
begin
    perform set_config('lock_timeout', '10s', true);
    perform pg_advisory_xact_lock(room, 0);
    for silent in
        select distinct lease.owner from lease left join fetcher on fetcher.number = lease.owner
        where lease.owner is not null and (fetcher.number is null or fetcher.expires < clock_timestamp())
            and lease.owner <> fetcher_number order by 1
    loop
        begin
            perform pg_terminate_backend(pid) from pg_locks
                where locktype = 'advisory' and classid = room::oid and objid = silent::oid and granted
                    and database = (select oid from pg_database where datname = current_database());
        exception when insufficient_privilege then null; -- a fetcher of another user: wait for it
        end;
        perform pg_advisory_xact_lock(room, silent);
    end loop;
    return query
        update lease set owner = fetcher_number, epoch = lease.epoch + 1, since = clock_timestamp()
        where lease.share_group in (
            select free.share_group from lease free left join fetcher on fetcher.number = free.owner
            where (free.owner is null or fetcher.number is null or fetcher.expires < clock_timestamp())
                and free.owner is distinct from fetcher_number
            order by free.share_group limit most
        )
        returning lease.share_group, lease.epoch;
end $$;
"""


FUNCTIONS += fetcher_tables.FUNCTIONS + packs.FUNCTIONS


def _list_partitions() -> Iterable[str]:
    """Yield the statements that make the partitions."""
    for table in ("page", "link", "visit", "known"):
        for part in range(PARTITIONS):
            yield (
                f"create table {table}_{part} partition of {table} "
                f"for values with (modulus {PARTITIONS}, remainder {part})"
            )
    for table, values in (("request", SHARES), ("seen", GROUPS)):
        for part in range(PARTITIONS):
            first, beyond = part * values // PARTITIONS, (part + 1) * values // PARTITIONS
            begin = "minvalue" if part == 0 else first
            yield f"create table {table}_{part} partition of {table} for values from ({begin}) to ({beyond})"


def make_script() -> str:
    """Return the statements that make the tables of an empty web."""
    tables = _TABLES.format(number_bits=NUMBER_BITS, group_bits=GROUP_BITS, groups=GROUPS)
    tables += fetcher_tables.TABLES + packs.TABLES
    return ";\n".join([tables.rstrip().rstrip(";"), *_list_partitions(), FUNCTIONS])
