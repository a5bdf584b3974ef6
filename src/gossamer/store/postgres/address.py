"""The address of a web in PostgreSQL, parsed strictly.

    postgresql://user@host:port/database?archive=…&schema=…

A password is refused: libpq reads it from ~/.pgpass or the environment.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from urllib.parse import parse_qsl, unquote

import msgspec

from gossamer.errors import BadInput

SCHEMES = ("postgresql://", "postgres://")
DEFAULT_SCHEMA = "gossamer"
_SCHEMA_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_OURS = ("archive", "schema")
# Parameters of libpq that say how to reach the server and how to trust it. Settings of the session are ours.
_PASSED_ON = (
    *("host", "hostaddr", "port", "user", "dbname", "passfile", "connect_timeout", "target_session_attrs"),
    *("load_balance_hosts", "application_name", "require_auth", "channel_binding", "service"),
    *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "sslcrldir", "sslsni", "sslcompression"),
    *("ssl_min_protocol_version", "ssl_max_protocol_version", "sslnegotiation", "sslcertmode"),
    *("gssencmode", "krbsrvname", "gsslib", "gssdelegation"),
    *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
)
_SECRET = ("password", "sslpassword")
_KEEP_SECRETS_OUT = (
    "an address must not contain a password, since other users of the machine can read command lines: "
    "write it into ~/.pgpass or the environment variable PGPASSWORD"
)


class Address(msgspec.Struct, frozen=True):
    """Where a web is: the database, the schema in it, and the place of the archive."""

    parameters: Mapping[str, str]
    """For libpq; never a password."""
    schema: str = DEFAULT_SCHEMA
    archive: str = ""
    """Where the bytes of pages are: a folder or the URL of an object store; "" if the address does not say it."""

    def __str__(self) -> str:
        known = self.parameters
        user = f"{known['user']}@" if "user" in known else ""
        port = f":{known['port']}" if known.get("port") else ""
        schema = f"?schema={self.schema}" if self.schema != DEFAULT_SCHEMA else ""
        return f"postgresql://{user}{known.get('host', '')}{port}/{known.get('dbname', '')}{schema}"


def is_address(web: str) -> bool:
    """Say whether the name of a web is an address of PostgreSQL and not a directory."""
    return web.startswith(SCHEMES)


def parse_address(text: str) -> Address:
    """Parse the address of a web; raise `BadInput` if it cannot be used. The message never quotes a password."""
    scheme = next((scheme for scheme in SCHEMES if text.startswith(scheme)), None)
    if scheme is None:
        raise BadInput("the address of a web in PostgreSQL begins with postgresql://")
    place, _, query = text.removeprefix(scheme).partition("?")
    server, _, database = place.partition("/")
    login, _, hosts = server.rpartition("@")
    user, _, password = login.partition(":")
    parameters = _parse_query(query)
    if password or any(name in parameters for name in _SECRET):
        raise BadInput(_KEEP_SECRETS_OUT)
    _check_names(parameters)
    schema = parameters.pop("schema", DEFAULT_SCHEMA)
    archive = parameters.pop("archive", "")
    if not _SCHEMA_NAME.fullmatch(schema) or schema.startswith("pg_"):
        raise BadInput(f"{schema!r} cannot be a schema: use small letters, digits and _, up to 63 of them")
    given = {"user": unquote(user), "dbname": unquote(database), **_split_hosts(hosts)}
    parameters = {name: value for name, value in given.items() if value} | parameters
    if "dbname" not in parameters and "service" not in parameters:
        raise BadInput("the address names no database: write postgresql://user@host/database")
    return Address(parameters, schema, archive)


def _parse_query(query: str) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name in parameters:
            raise BadInput(f"the address has two parameters named {name!r}")
        parameters[name] = value
    return parameters


def _check_names(parameters: Mapping[str, str]) -> None:
    known = (*_OURS, *_PASSED_ON)
    for name in parameters:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = (
                f": did you mean {near[0]!r}?" if near else ": see the TLS and connection parameters of libpq"
            )
            raise BadInput(f"the address has an unknown parameter {name!r}{hint}")


def _split_hosts(hosts: str) -> dict[str, str]:
    """Split hosts and ports; several hosts, one of which is the primary, are separated by commas."""
    names, ports = [], []
    for one in hosts.split(","):
        found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", one)
        if found is None:
            raise BadInput(f"{one!r} in the address is not a host and a port")
        names.append(unquote(found[1].strip("[]")))
        ports.append(found[2] or "")
    return {"host": ",".join(names) if any(names) else "", "port": ",".join(ports) if any(ports) else ""}
