"""Views of a web for people who ask their own questions: the same names and columns in every version and in PostgreSQL.

They are part of the file, so that every program that reads SQLite has them, and no change of format: earlier versions leave
them alone, and a web without them gets them when it is next opened for writing.

The links of a page are packed into one row. `links` unpacks them in plain SQL, 14 µs a link; `gossamer sql` replaces that by a
function of this program, 3 µs a link.
"""

# ruff: noqa: S608 - only constants go into statements

import sqlite3
from contextlib import suppress

import gossamer
from gossamer.store.batch import LINK_TYPES

_DIGITS = "'0123456789ABCDEF'"
_TIME = "strftime('%Y-%m-%dT%H:%M:%SZ', {}, 'unixepoch')"


def _read_digit(text: str, at: int) -> str:
    return f"(instr({_DIGITS}, substr({text}, {at}, 1)) - 1)"


def _read_byte(blob: str, at: str) -> str:
    """Return the expression of a byte of a BLOB, which SQLite shows as two digits only."""
    digits = f"hex(substr({blob}, {at}, 1))"
    return f"({_read_digit(digits, 1)} << 4 | {_read_digit(digits, 2)})"


# 64 bits, little-endian, from 16 digits.
_TARGET = " | ".join(
    f"({_read_digit('digits', 2 * byte + place)} << {8 * byte + 8 - 4 * place})"
    for byte in range(8)
    for place in (1, 2)
)
# The texts are a MessagePack array: a head, then each text after its length, which has one to three bytes.
_TEXT = f"""
    select i, at, {_read_byte("texts", "at")} as head, {_read_byte("texts", "at + 1")} as one,
        {_read_byte("texts", "at + 2")} as two"""
_HEAD_BYTES = "case when head < 192 then 1 when head = 217 then 2 else 3 end"
_TEXT_BYTES = "case when head < 192 then head & 31 when head = 217 then one else one << 8 | two end"
_STEP_HEAD = _read_byte("texts", "at")
_STEP_BYTES = (
    f"case when {_STEP_HEAD} < 192 then 1 + ({_STEP_HEAD} & 31) "
    f"when {_STEP_HEAD} = 217 then 2 + {_read_byte('texts', 'at + 1')} "
    f"else 3 + ({_read_byte('texts', 'at + 1')} << 8 | {_read_byte('texts', 'at + 2')}) end"
)
_UNPACK_IN_SQL = f"""(
    with recursive step (i, at) as (
        select 0, case hex(substr(texts, 1, 1)) when 'DC' then 4 when 'DD' then 6 else 2 end where links > 0
        union all select i + 1, at + {_STEP_BYTES} from step where i + 1 < links
    ), head as ({_TEXT}, hex(substr(targets, 8 * i + 1, 8)) as digits from step)
    select json_group_array(json_array({_TARGET}, {_read_byte("kinds", "i + 1")},
        cast(substr(texts, at + {_HEAD_BYTES}, {_TEXT_BYTES}) as text))) from head
)"""
UNPACK = "unpack_links"
"""The function that replaces the plain SQL inside this program."""
_TYPES = " ".join(f"when {number} then '{name}'" for number, name in enumerate(LINK_TYPES))


def _describe_links(unpack: str) -> str:
    kind = "json_extract(one.value, '$[1]')"
    return f"""select source, json_extract(one.value, '$[0]') as target, one.key as position,
    case {kind} >> 3 {_TYPES} end as type, json_extract(one.value, '$[2]') as text,
    {kind} >> 2 & 1 as nofollow, {kind} >> 1 & 1 as other_host, {kind} & 1 as other_site,
    (select url from page where id = source) as source_url,
    (select url from page where id = json_extract(one.value, '$[0]')) as target_url
from link, json_each({unpack}) one"""


VIEWS = {
    "pages": f"""select id, url, host, title, description, status, kind, language, declared_language, depth, words,
    body_bytes as bytes, {_TIME.format("fetched_s")} as fetched, fetched_s, task, "index" as may_index,
    archive as may_archive, digest, etag, last_modified, cut, cast(marks as text) as marks
from page""",
    # Every page is a known URL. As one table, it is joined through an index that SQLite makes for the query; as two, it
    # was read again for each link.
    "urls": """select id, url, exists (select 1 from page where page.id = known.id) as fetched
from known""",
    "links": _describe_links(_UNPACK_IN_SQL),
    "visits": f"""select page, task, {_TIME.format("when_s")} as at, when_s as at_s, result, status, cause, detail,
    took_s as seconds, body_bytes as bytes, address
from visit""",
    "decisions": f"""select page, task, {_TIME.format("when_s")} as at, when_s as at_s, rule, detail
from decision""",
    "tasks": f"""select number, name, state, reason, {_TIME.format("created_s")} as created, created_s,
    case when ended_s > 0 then {_TIME.format("ended_s")} end as ended, ended_s,
    coalesce(json_extract(cast(counts as text), '$.downloaded'), 0) as pages,
    coalesce(json_extract(cast(counts as text), '$.queued'), 0) as queued,
    coalesce(json_extract(cast(counts as text), '$.finished'), 0) as finished, cast(counts as text) as counts
from task""",
}
"""Each view and its query. Names and columns stay; new columns come at the end."""
QUICK_LINKS = _describe_links(f"{UNPACK}(targets, kinds, texts)")
"""The view `links` with the function."""


WRITTEN_BY = "written_by"
"""A view of one row: the version of Gossamer that brought the web into its format, and that format."""


def make_views(db: sqlite3.Connection, version: int) -> None:
    """Make the views of a web that is open for writing, or bring them up to date; a web whose disk is full stays as it is.

    `version` is the format that the web has now.
    """
    wanted = {name: f"CREATE VIEW {name} as {query}" for name, query in VIEWS.items()}
    if read_writer(db)[1] == version and _read_views(db) == wanted:
        return
    if read_writer(db)[1] != version:
        wanted[WRITTEN_BY] = (
            f"CREATE VIEW {WRITTEN_BY} as select '{gossamer.__version__}' as program, {version} as format"
        )
    with suppress(sqlite3.Error):
        db.execute("begin immediate")
        try:
            for name, statement in wanted.items():
                db.execute(f"drop view if exists {name}")
                db.execute(statement)
            db.execute("commit")
        finally:
            if db.in_transaction:
                db.execute("rollback")


def drop_views(db: sqlite3.Connection) -> None:
    """Drop the views before tables are changed: SQLite refuses to rename what a view needs."""
    for name in VIEWS:
        db.execute(f"drop view if exists {name}")


def read_writer(db: sqlite3.Connection) -> tuple[str, int]:
    """Return which version of Gossamer brought a web into which format; "" and 0 if the web does not say it."""
    try:
        program, version = db.execute(f"select program, format from {WRITTEN_BY}").fetchone()
    except sqlite3.Error:
        return "", 0
    return str(program), int(version)


def _read_views(db: sqlite3.Connection) -> dict[str, str]:
    found = db.execute("select name, sql from sqlite_master where type = 'view'")
    return {name: sql for name, sql in found if name in VIEWS}
