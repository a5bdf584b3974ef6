"""Make, upgrade and check the schema of a web when it is opened."""

# ruff: noqa: S608 - only constants and names that `parse_address` has checked go into statements

import re
from collections.abc import Mapping
from contextlib import suppress

from gossamer.errors import BadInput, StoreFailed
from gossamer.store.postgres import views
from gossamer.store.postgres.address import Address
from gossamer.store.postgres.connect import Session
from gossamer.store.postgres.failures import ForgettingUnfinished
from gossamer.store.postgres.schema import APPLICATION, FUNCTIONS, NUMBER_BITS, UPGRADES, VERSION, make_script

_LOCK = "select pg_advisory_xact_lock(hashtext('gossamer schema'), hashtext('{schema}'))"
_FIND = """
select exists (select from pg_namespace where nspname = %(schema)s),
    (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = %(schema)s),
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = %(schema)s and c.relname = 'web' and c.relkind = 'r'),
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = %(schema)s and c.relname = 'unfinished_copy' and c.relkind = 'r'),
    exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = %(schema)s and c.relname = 'forgetting' and c.relkind = 'r'),
    current_setting('server_encoding')
"""


def open_schema(address: Address, create: bool, upgrade: bool, allow_unfinished: bool = False) -> None:
    """Check that an address holds a web of this version, and a whole one; make or upgrade it if that is allowed."""
    session = Session(address, setup=True)
    try:
        has_tables = _find_web(session, address, create, upgrade, allow_unfinished)
        if not has_tables:
            _create(session, address.schema)
        version, server = _read_version(session, address)
        if upgrade:
            version = _upgrade(session, address.schema, version)
            if server != _read_identity(session):
                _continue_numbers(session, address.schema)
        if version > VERSION:
            _refuse_later(session, version, address)
        check_version(version, address)
        if upgrade:
            _make_views(session, address.schema)
    finally:
        session.close()


def check_version(version: int, address: Address) -> None:
    """Raise `BadInput` if a web is in another format than this program's."""
    if version == VERSION:
        return
    todo = "update Gossamer" if version > VERSION else "open it once for writing, which upgrades it"
    raise BadInput(f"{address} is in format {version} and this Gossamer reads format {VERSION}: {todo}")


def _refuse_later(session: Session, version: int, address: Address) -> None:
    """Raise `BadInput` that names the version of Gossamer that reads a web of a later format."""
    written_by = f"{address.schema}.written_by"
    if session.query("select to_regclass(%s) is not null", (written_by,))[0][0]:
        program = session.query(views.READ_WRITER.format(schema=address.schema))[0][0]
        raise BadInput(
            f"{address} is in format {version} and this Gossamer reads format {VERSION}: "
            f"update Gossamer to version {program} or later"
        )


def _find_web(session: Session, address: Address, create: bool, writes: bool, allow_unfinished: bool) -> bool:
    """Say whether there is a web; raise `BadInput` if there is something else, or nothing and none may be made."""
    [(exists, tables, has_web, is_unfinished, is_forgetting, encoding)] = session.query(
        *_bind(_FIND, {"schema": address.schema})
    )
    if encoding != "UTF8":
        raise BadInput(f"{address} stores texts as {encoding}: a web needs a database with the encoding UTF8")
    if is_unfinished and not allow_unfinished:
        found = session.query(f"select command from {address.schema}.unfinished_copy")
        command = f", {found[0][0]}" if found else ""
        raise BadInput(
            f"{address} is the unfinished copy of another web: run the same command again{command}"
        )
    if is_forgetting and writes and not allow_unfinished:
        raise ForgettingUnfinished(
            f"pages of {address} are being forgotten: wait until that has ended; if it was interrupted, "
            "`gossamer forget --list` finishes it"
        )
    if has_web:
        return True
    if tables:
        raise BadInput(
            f"the schema {address.schema!r} of {address} belongs to another program: choose another one"
        )
    if not create:
        raise BadInput(
            f"there is no web at {address}" + ("" if exists else f": it has no schema {address.schema!r}")
        )
    return False


def _bind(query: str, values: Mapping[str, object]) -> tuple[str, tuple[object, ...]]:
    """Return a query with its named values in the order of their places."""
    names = re.findall(r"%\((\w+)\)s", query)
    return re.sub(r"%\(\w+\)s", "%s", query), tuple(values[name] for name in names)


def _create(session: Session, schema: str) -> None:
    # The schema's name is checked when an address is parsed, so that it can be part of statements.
    script = [
        _LOCK.format(schema=schema),
        f"create schema if not exists {schema}",
        "do $do$ begin if to_regclass('web') is null then execute $make$" + make_script() + "$make$; "
        f"insert into web (application, version, server) values ('{APPLICATION}', {VERSION}, {_IDENTITY}); "
        "end if; end $do$",
    ]
    session.execute(";\n".join(script))


_IDENTITY = "(select system_identifier::text from pg_control_system())"


def _read_identity(session: Session) -> str:
    return str(session.query(f"select {_IDENTITY}")[0][0])


def _read_version(session: Session, address: Address) -> tuple[int, str]:
    """Return the version of a web and the identity of the server on which it was written."""
    other = BadInput(
        f"the schema {address.schema!r} of {address} belongs to another program: choose another one"
    )
    columns = "select count(*) from information_schema.columns where table_schema = %s and table_name = 'web'"
    is_ours = " and column_name in ('application', 'version', 'server')"
    if session.query(columns, (address.schema,))[0][0] and session.query(
        columns + is_ours, (address.schema,)
    ) != [(3,)]:
        raise other
    # With the name of the schema: without rights, it is not on the search path.
    found = session.query(f"select application, version, server from {address.schema}.web")
    if len(found) != 1 or found[0][0] != APPLICATION:
        raise other
    return int(found[0][1]), str(found[0][2])


def _upgrade(session: Session, schema: str, version: int) -> int:
    """Upgrade an older web to the present format, one version in each transaction; return its version then."""
    while version in UPGRADES:
        statements = ";\n".join(UPGRADES[version])
        session.execute(
            f"{_LOCK.format(schema=schema)};\n"
            f"do $do$ begin if (select version from web) = {version} then execute $make${views.DROP_ALL};\n{statements};\n{FUNCTIONS}$make$; "
            f"update web set version = {version + 1}; end if; end $do$"
        )
        version = int(session.query("select version from web")[0][0])
    return version


def _make_views(session: Session, schema: str) -> None:
    """Make the views for people, or bring them up to date; without the right to do so, a web is as good without them."""
    if views.has_views(session.query(views.READ_DIGEST)[0][0]):
        return
    with suppress(StoreFailed):
        session.execute(f"{_LOCK.format(schema=schema)};\n{views.make_script()}")


_CONTINUE = """
do $do$ declare highest bigint; begin
    if (select server from web) <> {identity} then
        select greatest({newest}) >> {bits} into highest;
        update web set server = {identity}, transactions_before =
            greatest(transactions_before, coalesce(highest, 0) + 1 - pg_current_xact_id()::text::bigint);
    end if;
end $do$
"""


def _continue_numbers(session: Session, schema: str) -> None:
    """Let numbers go on where they ended on another server, after a restore."""
    tables = ("inbox", "page", "link", "visit", "decision", "seen")
    newest = ", ".join(f"(select max(number) from {table})" for table in tables)
    script = _CONTINUE.format(identity=_IDENTITY, newest=newest, bits=NUMBER_BITS)
    session.execute(f"{_LOCK.format(schema=schema)};\n{script}")
