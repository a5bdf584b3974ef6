"""The tables of a web in SQLite, after the entities of Schmitz 2001, section 4.2.1.

Three ideas make a commit at ten million URLs as cheap as at a thousand:

- Rows are appended in order of arrival. Columns that the crawl never looks up have no index: `sorted` is filled in small
  steps at the first look-up, and trails behind the crawl without slowing it.
- The links of a page are one row: targets as packed 64-bit integers, one byte a link for type and flags, and the texts.
  Packed, they cost 0.03 ms a page; as a hundred rows 0.24 ms, more than the rest of the commit together.
- The keys of the seen set are packed, one row a batch, so that ten million are loaded within a second.
"""

APPLICATION = 0x476F7373
"""“Goss” in the file's header tells webs from other programs' databases."""
VERSION = 7
"""The version of the format. When you change a table, add one, and add the upgrade to `UPGRADES`."""

UPGRADES = {
    1: ("alter table inbox rename column shard to share", "drop index inbox_shard"),
    2: (
        *(f"drop table {name}_at" for name in ("known", "visit", "decision", "link")),
        "delete from run",
        "create table sorted (name text, run integer, first integer, last integer, keys blob, numbers blob)",
        "create index sorted_last on sorted (name, run, last)",
    ),
    3: (
        "create table widening (number integer primary key autoincrement, task integer, depth integer, "
        "shard integer, shards integer, after integer)",
    ),
    4: (
        "alter table page rename column language to declared_language",
        "alter table page add column language text not null default ''",
    ),
    5: (
        "create table note (room text not null, name text not null, value blob not null, "
        "primary key (room, name)) without rowid",
    ),
    # Programs that do not know tombstones must not collect again what was forgotten.
    6: ("insert into total values ('page gaps', 0), ('known gaps', 0), ('visit gaps', 0)",),
}
"""For each version, the statements that upgrade it to the next one."""

TABLES = """
-- Totals that would otherwise need a full scan.
create table total (name text primary key, value integer not null) without rowid;
-- Gaps are numbers of rows that were forgotten: counts are the newest number without them.
insert into total values ('links', 0), ('last_number', 0), ('page gaps', 0), ('known gaps', 0), ('visit gaps', 0);

create table task (
    number integer primary key,
    name text not null,
    spec blob not null,
    state text not null,
    reason text not null,
    created_s real not null,
    ended_s real not null,
    counts blob not null
);

create table host (
    name text primary key,
    ready_s real not null,
    crawl_delay_s real not null,
    failures integer not null,
    address text not null,
    robots blob,
    robots_status integer not null,
    robots_s real not null
) without rowid;

-- Waiting requests by host, best first: reading the next few of a host is one short scan in each lot. A lot holds
-- requests that arrived together: new rows go into the newest lot only, which stays in memory however many there are.
create table request (
    lot integer not null,
    task integer not null,
    host text not null,
    rank real not null, -- the negative of the priority, so that the best comes first
    number integer not null,
    id integer not null,
    url text not null,
    depth integer not null,
    parent integer not null,
    type text not null,
    attempt integer not null,
    hops integer not null,
    primary key (lot, task, host, rank, number)
) without rowid;

-- The number of waiting requests of each task at each host.
create table waiting (
    task integer not null,
    host text not null,
    requests integer not null,
    primary key (task, host)
) without rowid;

-- For tasks with a budget for each host: the number of pages fetched from each.
create table budget (
    task integer not null,
    host text not null,
    pages integer not null,
    primary key (task, host)
) without rowid;

-- Requests until the shard that owns their host accepts them; the host's share of the web determines the shard, for
-- any number of shards. Numbers are never reused: a shard may have accepted an entry and been killed when the next
-- one arrives.
create table inbox (
    number integer primary key autoincrement,
    share integer not null,
    request blob not null
);

-- Tasks whose rules were widened, and up to which visit their pages have been judged again.
create table widening (
    number integer primary key autoincrement,
    task integer not null,
    depth integer not null,
    shard integer not null,
    shards integer not null,
    after integer not null
);

create table page (
    number integer primary key,
    id integer not null,
    url text not null,
    host text not null,
    task integer not null,
    depth integer not null,
    fetched_s real not null,
    status integer not null,
    kind text not null,
    title text not null,
    language text not null,
    declared_language text not null,
    description text not null,
    body_bytes integer not null,
    digest text not null,
    text_digest integer not null,
    simhash integer not null,
    words integer not null,
    etag text not null,
    last_modified text not null,
    "index" integer not null,
    archive integer not null,
    cut text not null,
    marks blob not null,
    warc text not null,
    warc_offset integer not null
);
create unique index page_id on page (id);
create index page_digest on page (digest);

-- The links of one page. When the page is read again, its old row is deleted and the new one gets a new number.
create table link (
    number integer primary key autoincrement,
    source integer not null,
    links integer not null, -- how many
    targets blob not null, -- 64-bit integers, little-endian
    kinds blob not null, -- a byte each, see record_rows.py
    texts blob not null -- a MessagePack array
);
create index link_source on link (source);

create table visit (
    number integer primary key,
    page integer not null,
    task integer not null,
    when_s real not null,
    result text not null,
    status integer not null,
    cause text not null,
    detail text not null,
    took_s real not null,
    body_bytes integer not null,
    address text not null,
    text_digest integer not null,
    warc text not null,
    warc_offset integer not null
);

create table decision (
    number integer primary key,
    page integer not null,
    task integer not null,
    when_s real not null,
    rule text not null,
    detail text not null
);

-- Notes of other parts of the program: what an order has learnt, judgements, a schedule. The store does not read them.
create table note (room text not null, name text not null, value blob not null, primary key (room, name)) without rowid;

create table known (number integer primary key, id integer not null, url text not null);
create table seen (number integer primary key, keys blob not null);
create table archive (warc text primary key, bytes integer not null) without rowid;

-- Which rows belong to a page, filled at the first look-up; see late_index.py. `run` lists the runs of each table,
-- each for the rows up to a number; `sorted` holds their sorted pieces.
create table run (name text, number integer, upto integer not null, primary key (name, number)) without rowid;
create table sorted (
    name text not null, -- of the table
    run integer not null,
    first integer not null,
    last integer not null,
    keys blob not null, -- 64-bit integers, little-endian, ascending
    numbers blob not null -- of the row of each key, likewise
);
create index sorted_last on sorted (name, run, last);
"""
