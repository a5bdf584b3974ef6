"""The address of a web in PostgreSQL is parsed strictly, and never shows a password."""

import pytest

from gossamer.errors import BadInput
from gossamer.store.postgres.address import is_address, parse_address


def test_an_address_names_database_schema_and_archive() -> None:
    address = parse_address(
        "postgresql://me@db.example:5433/crawl?archive=s3://bucket/prefix&schema=trier&sslmode=require"
    )
    assert address.parameters == {
        "user": "me",
        "host": "db.example",
        "port": "5433",
        "dbname": "crawl",
        "sslmode": "require",
    }
    assert (address.schema, address.archive) == ("trier", "s3://bucket/prefix")
    assert str(address) == "postgresql://me@db.example:5433/crawl?schema=trier"


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("postgresql://h/db", "h", None),
        ("postgres://u@%2Frun%2Fpg:5433/db", "/run/pg", "5433"),
        ("postgresql:///db", None, None),
        ("postgresql://u@[::1]:5432/db", "::1", "5432"),
        ("postgresql://one:1,two:2/db", "one,two", "1,2"),
        ("postgresql://one,two:2/db", "one,two", ",2"),
        ("postgresql:///db?host=/run/pg", "/run/pg", None),
    ],
)
def test_hosts_may_be_sockets_addresses_or_several(text: str, host: str | None, port: str | None) -> None:
    parameters = parse_address(text).parameters
    assert (parameters.get("host"), parameters.get("port")) == (host, port)
    assert parameters["dbname"] == "db"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("http://h/db", "begins with postgresql://"),
        ("postgresql://u@h", "names no database"),
        ("postgresql://u@h/", "names no database"),
        ("postgresql://u@h/db?archiv=x", "did you mean 'archive'"),
        ("postgresql://u@h/db?options=-cx", "unknown parameter 'options'"),
        ("postgresql://u@h/db?schema=a&schema=b", "two parameters named 'schema'"),
        ("postgresql://u@h/db?schema=A b", "cannot be a schema"),
        ("postgresql://u@h/db?schema=pg_catalog", "cannot be a schema"),
        ("postgresql://u@h/db?schema=x;drop", "cannot be a schema"),
        ("postgresql://u@h:port/db", "not a host and a port"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as refused:
        parse_address(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://me:hunter2@h/db",
        "postgresql://me@h/db?password=hunter2",
        "postgresql://me@h/db?sslpassword=hunter2",
        "postgresql://me:hunter2@h/db?wrong=1",
        "postgresql://me:hunter2@h:x/db",
    ],
)
def test_a_password_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_address(text)
    assert "hunter2" not in str(refused.value)
    assert "pgpass" in str(refused.value)


def test_addresses_are_told_from_directories() -> None:
    assert is_address("postgresql://h/db")
    assert is_address("postgres://h/db")
    assert not is_address("./web")
    assert not is_address("postgresql")
