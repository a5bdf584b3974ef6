"""Tables and functions by which fetchers keep out of each other's way: turns at addresses, and pages under a limit."""

TABLES = """
-- Which fetcher may ask an address, and from when on. A fetcher keeps an address until another one wants it.
create table turn (
    name text collate "C" primary key,
    owner integer,
    ready_s float8 not null, -- when it may be asked again, by the database's clock
    wanted boolean not null default false
) with (fillfactor = 70);
create index turn_owner on turn (owner);

-- How many pages of a task with a page limit a fetcher may still bring.
create table reservation (
    task integer not null,
    fetcher integer not null,
    pages bigint not null,
    primary key (task, fetcher)
) with (fillfactor = 50);
"""

FUNCTIONS = """
create or replace function is_present(fetcher_number integer) returns boolean language sql stable as
    'select exists (select from fetcher where number = fetcher_number and expires > clock_timestamp())';

-- Gives names back and asks for others; returns what the fetcher got, and what others want of it.
create or replace function exchange_turns(
    fetcher_number integer, given text[], given_ready_s float8[], wished text[], pauses_s float8[]
) returns table (turn_name text, is_own boolean, turn_ready_s float8, is_wanted boolean) language plpgsql as $$
begin
    update turn set owner = null, wanted = false, ready_s = greatest(turn.ready_s, back.ready_s)
        from (select * from unnest(given, given_ready_s) as back (name, ready_s) order by 1) as back
        where turn.name = back.name and turn.owner = fetcher_number;
    insert into turn as known (name, owner, ready_s)
        select wish.name, fetcher_number, 0 from (select name from unnest(wished) as wish (name) order by 1) as wish
        on conflict (name) do nothing;
    update turn set
        ready_s = case when turn.owner is null or turn.owner = fetcher_number or is_present(turn.owner) then turn.ready_s
            else extract(epoch from clock_timestamp()) + wish.pause_s end,
        wanted = turn.owner <> fetcher_number and is_present(turn.owner),
        owner = case when turn.owner is null or not is_present(turn.owner) then fetcher_number else turn.owner end
        from (select * from unnest(wished, pauses_s) as wish (name, pause_s) order by 1) as wish
        where turn.name = wish.name;
    return query select turn.name, turn.owner = fetcher_number, turn.ready_s, turn.wanted from turn
        where turn.name = any(wished) or (turn.owner = fetcher_number and turn.wanted);
end $$;

-- Sets how many pages of a task a fetcher may still bring, as far as the limit allows; returns how many.
create or replace function reserve_pages(fetcher_number integer, task_number integer, most bigint, wished bigint)
returns bigint language plpgsql as $$
declare
    others bigint;
    granted bigint;
begin
    perform pg_advisory_xact_lock('reservation'::regclass::oid::integer, task_number);
    delete from reservation where task = task_number and fetcher <> fetcher_number and not is_present(fetcher);
    select coalesce((select sum(value) from task_count where task = task_number and name = 'downloaded'), 0)
        + coalesce((select sum(pages) from reservation where task = task_number and fetcher <> fetcher_number), 0)
        into others;
    granted := greatest(0, least(wished, most - others));
    insert into reservation (task, fetcher, pages) values (task_number, fetcher_number, granted)
        on conflict (task, fetcher) do update set pages = excluded.pages;
    return granted;
end $$;

-- Takes the pages of a batch out of what its fetcher may bring; refuses more.
create or replace function spend_pages(fetcher_number integer, tasks integer[], brought bigint[]) returns void
language plpgsql as $$
declare enough bigint;
begin
    update reservation set pages = reservation.pages - one.brought_pages from unnest(tasks, brought) as one (task, brought_pages)
        where reservation.task = one.task and fetcher = fetcher_number and reservation.pages >= one.brought_pages;
    get diagnostics enough = row_count;
    if enough < cardinality(tasks) then
        raise exception 'pages that were not reserved' using errcode = 'GL001', detail = '';
    end if;
end $$;
"""
