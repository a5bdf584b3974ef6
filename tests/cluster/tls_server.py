"""A PostgreSQL server that takes connections over TLS only, and the certificates for it, made with openssl.

It listens on a loopback address of its own, so that no port has to be found. Certificates name a machine that no name server
knows: clients give the name as `host` and the address as `hostaddr`, as libpq allows.
"""

import os
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.postgres_server import PostgresServer

HOST = "db.example"
PASSWORD = "correct-horse-battery"  # noqa: S105 - of a server that lives for one test
BY_PASSWORD, BY_CERTIFICATE, _GUEST = "crawl", "robot", "guest"
"""Users: one shows a password, the others a certificate."""
_RULES = f"""
local   all all             trust
hostssl all {BY_PASSWORD}    127.0.0.0/8 scram-sha-256
hostssl all {BY_CERTIFICATE},{_GUEST} 127.0.0.0/8 cert
"""
_DAYS = "2"


class Authority:
    """An own certificate authority."""

    def __init__(self, folder: Path, name: str) -> None:
        self.certificate = folder / f"{name}.crt"
        self._key = folder / f"{name}.key"
        self._folder = folder
        _run(
            *("openssl", "req", "-x509", *_make_key(self._key), "-days", _DAYS, "-subj", f"/CN={name}"),
            *("-addext", "basicConstraints=critical,CA:TRUE", "-out", str(self.certificate)),
        )

    def sign(self, name: str) -> tuple[Path, Path]:
        """Return a certificate for a machine or a user, and its key, which only its owner can read."""
        certificate, key, request = (self._folder / f"{name}.{end}" for end in ("crt", "key", "csr"))
        names = self._folder / f"{name}.names"
        names.write_text(f"subjectAltName=DNS:{name}\n", "ascii")
        _run("openssl", "req", *_make_key(key), "-subj", f"/CN={name}", "-out", str(request))
        _run(
            *("openssl", "x509", "-req", "-in", str(request), "-days", _DAYS, "-CAcreateserial"),
            *("-CA", str(self.certificate), "-CAkey", str(self._key), "-extfile", str(names)),
            *("-out", str(certificate)),
        )
        key.chmod(0o600)
        return certificate, key


class TlsServer:
    """A running server, its authority, and another authority that has not signed its certificate."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("openssl") is None:
            pytest.skip("there is no openssl")
        self.folder = folder
        self.authority = Authority(folder, "own-authority")
        self.other_authority = Authority(folder, "other-authority")
        self.user_files = self.authority.sign(BY_CERTIFICATE)
        number = os.getpid()
        self.ip = f"127.{number >> 16 & 127 | 64}.{number >> 8 & 255}.{number & 255 or 1}"
        self._server = self._start(folder / "server")
        for user in (BY_PASSWORD, BY_CERTIFICATE, _GUEST):
            # The rights that docs/cluster.md asks for: to make tables in a database of its own.
            self._server.execute(f"create role {user} login password '{PASSWORD}'")
        self._server.execute(f"grant {BY_PASSWORD} to {BY_CERTIFICATE}")

    def make_address(self, database: str, user: str = BY_PASSWORD, **changes: str) -> str:
        """Return the address of a web, with everything checked unless a change says otherwise."""
        parameters = {
            "hostaddr": self.ip,
            "sslmode": "verify-full",
            "sslrootcert": str(self.authority.certificate),
        }
        host = changes.pop("host", HOST)
        return f"postgresql://{user}@{host}/{database}?{urlencode(parameters | changes)}"

    def make_database(self) -> str:
        """Make an empty database that belongs to the user with a password; return its name."""
        name = self._server.make_database()
        self._server.execute(f"alter database {name} owner to {BY_PASSWORD}")
        return name

    def list_connections(self, database: str) -> list[tuple[bool, bool]]:
        """Return, for each connection from the network to a database, whether it uses TLS, and a client certificate."""
        return self._server.execute(
            "select ssl, client_dn is not null from pg_stat_ssl join pg_stat_activity using (pid) "  # noqa: S608 - a name of ours
            f"where datname = '{database}' and client_addr is not null"
        )

    def stop(self) -> None:
        """Stop the server."""
        self._server.stop()

    def _start(self, folder: Path) -> PostgresServer:
        folder.mkdir()
        certificate, key = self.authority.sign(HOST)
        rules = folder / "rules.conf"
        rules.write_text(_RULES, "ascii")
        for path in (certificate, key, self.authority.certificate):
            shutil.copy(path, folder)
        if os.getuid() == 0:
            for path in folder.iterdir():
                shutil.chown(path, "postgres", "postgres")
        settings = {
            "listen_addresses": self.ip,
            "hba_file": str(rules),
            "ssl": "on",
            "ssl_cert_file": str(folder / certificate.name),
            "ssl_key_file": str(folder / key.name),
            "ssl_ca_file": str(folder / self.authority.certificate.name),
        }
        return PostgresServer(folder, settings)


def _make_key(path: Path) -> tuple[str, ...]:
    return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(path)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
