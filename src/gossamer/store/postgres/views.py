"""Views of a web for people who ask their own questions, with the names and columns of `store.sqlite.views`.

They change no format: a web without them, or with older ones, gets them when it is next opened for writing.
"""

# ruff: noqa: S608 - only constants go into statements

import hashlib

import gossamer
from gossamer.store.batch import HIGHEST_COUNTS, LINK_TYPES

_TIME = "to_char(to_timestamp({}) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
_TYPES = " ".join(f"when {number} then '{name}'" for number, name in enumerate(LINK_TYPES))
_TARGET = " | ".join(f"(get_byte(targets, 8 * at + {byte})::bigint << {8 * byte})" for byte in range(8))
_SUMS = ", ".join(f"'{name}'" for name in sorted(HIGHEST_COUNTS))
_COUNT = "coalesce((select sum(value) from task_count where task = number and name = '{}'), 0)::bigint"

# The texts are a MessagePack array: a head, then each text after its length.
_UNPACK = f"""
create or replace function unpack_links(targets bytea, kinds bytea, texts bytea)
returns table (place integer, target bigint, kind integer, text text) language plpgsql immutable as $unpack$
declare
    links constant integer := length(kinds);
    start integer := case get_byte(texts, 0) when 220 then 3 when 221 then 5 else 1 end;
    head integer;
    size integer;
begin
    for at in 0 .. links - 1 loop
        head := get_byte(texts, start);
        if head < 192 then
            size := head & 31; start := start + 1;
        elsif head = 217 then
            size := get_byte(texts, start + 1); start := start + 2;
        else
            size := get_byte(texts, start + 1) << 8 | get_byte(texts, start + 2); start := start + 3;
        end if;
        place := at; target := {_TARGET}; kind := get_byte(kinds, at);
        text := convert_from(substring(texts from start + 1 for size), 'UTF8');
        start := start + size;
        return next;
    end loop;
end $unpack$
"""

_QUERIES = {
    "pages": f"""select id, url, host, title, description, status, kind, language, declared_language, depth, words,
    body_bytes as bytes, {_TIME.format("fetched_s")} as fetched, fetched_s, task, "index" as may_index,
    archive as may_archive, digest, etag, last_modified, cut, convert_from(marks, 'UTF8') as marks
from page""",
    "urls": """select id, url, case when exists (select from page where page.id = known.id) then 1 else 0 end as fetched
from known""",
    "links": f"""select source, one.target, one.place as position, case one.kind >> 3 {_TYPES} end as type, one.text,
    one.kind >> 2 & 1 as nofollow, one.kind >> 1 & 1 as other_host, one.kind & 1 as other_site,
    (select url from page where id = source) as source_url,
    (select url from page where id = one.target) as target_url
from link, unpack_links(targets, kinds, texts) one""",
    "visits": f"""select page, task, {_TIME.format("when_s")} as at, when_s as at_s, result, status, cause, detail,
    took_s as seconds, body_bytes as bytes, address
from visit""",
    "decisions": f"""select page, task, {_TIME.format("when_s")} as at, when_s as at_s, rule, detail
from decision""",
    "tasks": f"""select number, name, state, reason, {_TIME.format("created_s")} as created, created_s,
    case when ended_s > 0 then {_TIME.format("ended_s")} end as ended, ended_s,
    {_COUNT.format("downloaded")} as pages, {_COUNT.format("queued")} as queued, {_COUNT.format("finished")} as finished,
    coalesce((select json_object_agg(name, value)::text from (
        select name, case when name in ({_SUMS}) then max(value) else sum(value)::bigint end as value
        from task_count where task = number group by name) counted), '{{}}') as counts
from task""",
}
VIEWS = tuple(_QUERIES)
_NOTE_WRITER = f"""
do $note$ begin
    if to_regclass('written_by') is null then
        execute 'create view written_by as select ''{gossamer.__version__}''::text as program, '
            || (select version from web) || ' as format';
    end if;
end $note$"""
READ_WRITER = "select program from {schema}.written_by"
"""The query for the version of Gossamer that brought a web into its format."""
_DIGEST = hashlib.sha256((_UNPACK + repr(_QUERIES)).encode()).hexdigest()
READ_DIGEST = "select obj_description(to_regclass('tasks'), 'pg_class')"
"""The query for what `has_views` compares."""


def has_views(found: object) -> bool:
    """Return whether a web has the views of this version."""
    return found == _DIGEST


_DROP = ";\n".join(f"drop view if exists {name}" for name in VIEWS)
DROP_ALL = f"{_DROP};\ndrop view if exists written_by"
"""The statements before an upgrade: PostgreSQL refuses to change what a view needs."""


def make_script() -> str:
    """Return the statements that make all views anew; the digest comes last."""
    made = [f"create view {name} as {query}" for name, query in _QUERIES.items()]
    return ";\n".join([_DROP, _UNPACK, *made, _NOTE_WRITER, f"comment on view tasks is '{_DIGEST}'"])
