"""A web in a database that takes connections over TLS only: everything works with the right files, and nothing without."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.crawl.harness import make_command, serve_lab
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.database import wait_until
from tests.cluster.running_fetchers import Fetchers, check_whole, start_task, wait_for_end
from tests.cluster.tls_server import BY_CERTIFICATE, BY_PASSWORD, PASSWORD, TlsServer

from gossamer.cli.main import run_verb
from gossamer.lab.world.world import World
from gossamer.store.postgres.postgres_store import PostgresStore

pytestmark = pytest.mark.slow
WORLD = World(seed=5, hosts=3, pages=30)
_HUNG_S = 200.0


@pytest.fixture(scope="module")
def server(postgres_server: PostgresServer) -> Iterator[TlsServer]:
    """A server of its own; the other fixture skips where none can be started."""
    folder = Path(tempfile.mkdtemp(prefix="gossamer-tls-"))
    folder.chmod(0o755)  # the server has another user
    try:
        started = TlsServer(folder)
        yield started
        started.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def database(server: TlsServer) -> str:
    """The name of a database with an empty web."""
    name = server.make_database()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PGPASSWORD", PASSWORD)
        PostgresStore(server.make_address(name), create=True).close()
    return name


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))


def run(verb: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a verb as a person would."""
    return subprocess.run(
        make_command(verb, *arguments), capture_output=True, text=True, check=False, timeout=_HUNG_S
    )


def test_a_crawl_with_everything_checked(server: TlsServer, tmp_path: Path) -> None:
    name = server.make_database()
    web = server.make_address(name, archive=str(tmp_path / "archive"))
    with serve_lab(WORLD) as lab:
        options = "--scope any --delay 0.01 --adaptive 0 --allow-private 127.0.0.0/8 --name tls --json"
        crawled = run("crawl", *lab.seeds, "--web", web, *options.split())
    assert crawled.returncode == 0, crawled.stderr
    listed = run("tasks", "--web", web, "--json")
    assert listed.returncode == 0, listed.stderr
    assert '"finished"' in listed.stdout
    for text in (crawled.stdout, crawled.stderr, listed.stdout, listed.stderr):
        assert PASSWORD not in text


def test_a_fetcher_with_a_certificate_of_its_own(server: TlsServer, tmp_path: Path) -> None:
    name = server.make_database()
    store = PostgresStore(server.make_address(name), create=True)
    certificate, key = map(str, server.user_files)
    # Tables belong to the user that made them; the other one is a member of it.
    address = server.make_address(name, BY_CERTIFICATE, sslcert=certificate, sslkey=key)
    fetchers = Fetchers("unused", tmp_path)
    with serve_lab(WORLD) as lab:
        task = start_task(store, lab)
        fetchers.start(environment={"PGPASSWORD": ""}, web=f"{address}&archive={fetchers.archive}")
        try:
            wait_until(lambda: (True, True) in server.list_connections(name))
            assert all(encrypted for encrypted, _ in server.list_connections(name))
            wait_for_end(store)
            fetchers.stop()
        finally:
            fetchers.kill_all()
        check_whole(store, lab, task)
    store.close()


_CASES = {
    "another authority": ({"sslrootcert": "{other}"}, "the server's certificate is not trusted"),
    "no TLS": ({"sslmode": "disable"}, "does not accept this user from this machine without TLS"),
    "another name": ({"host": "other.example"}, 'certificate is for "db.example", not for "other.example"'),
    "no such file": ({"sslrootcert": "/none.crt"}, 'root certificate file "/none.crt" does not exist'),
    "not a certificate": ({"sslrootcert": "{key}"}, "libpq cannot use the root certificate file"),
    "no certificate": ({"user": BY_CERTIFICATE}, "the server wants a certificate of the client"),
    "a key that others read": (
        {"user": BY_CERTIFICATE, "sslcert": "{certificate}", "sslkey": "{loose}"},
        "others can read the key",
    ),
    "no key": (
        {"user": BY_CERTIFICATE, "sslcert": "{certificate}", "sslkey": "/none.key"},
        'there is no key in "/none.key"',
    ),
    "a certificate of another authority": (
        {"user": BY_CERTIFICATE, "sslcert": "{foreign}", "sslkey": "{foreign_key}"},
        "the server does not trust the certificate of the client",
    ),
    "the certificate of another user": (
        {"user": "guest", "sslcert": "{certificate}", "sslkey": "{key}"},
        "is for another user",
    ),
}


@pytest.fixture(scope="module")
def files(server: TlsServer) -> dict[str, str]:
    """The files that the cases name."""
    certificate, key = server.user_files
    foreign, foreign_key = server.other_authority.sign("foreign")
    loose = Path(shutil.copy(key, server.folder / "loose.key"))
    loose.chmod(0o644)
    return {
        "other": str(server.other_authority.certificate),
        "certificate": str(certificate),
        "key": str(key),
        "foreign": str(foreign),
        "foreign_key": str(foreign_key),
        "loose": str(loose),
    }


@pytest.mark.parametrize("case", _CASES)
def test_what_is_wrong_is_said_in_one_sentence(
    server: TlsServer,
    database: str,
    files: dict[str, str],
    case: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    changes, words = _CASES[case]
    given = {name: value.format(**files) for name, value in changes.items()}
    web = server.make_address(
        database, given.pop("user", BY_PASSWORD), archive=str(tmp_path / "archive"), **given
    )
    # A fetcher waits for a database that is away; these stay as they are.
    check_refused(run("fetcher", "--web", web), words)
    code = run_verb(["tasks", "--web", web])
    check_refused(subprocess.CompletedProcess([], code, *capfd.readouterr()), words)
    assert not os.path.lexists(tmp_path / "archive")


def test_a_wrong_password_is_not_repeated(
    server: TlsServer, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", "wrong-horse")
    ended = run("crawl", "http://a.example/", "--web", server.make_address(database))
    check_refused(ended, "does not accept this user and password", secrets=("wrong-horse",))


def check_refused(
    ended: "subprocess.CompletedProcess[str]", words: str, secrets: Sequence[str] = (PASSWORD,)
) -> None:
    """Check that a verb ended with one sentence that has these words, and no secret."""
    assert ended.returncode == 2, ended.stderr
    assert words in ended.stderr
    assert ended.stderr.startswith("gossamer: ")
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert not any(secret in ended.stderr + ended.stdout for secret in secrets)
