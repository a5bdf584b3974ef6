"""The same web twice, in a directory and in a database, and the verbs run over both."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.crawl.harness import make_quick_task
from tests.postgres_server import PostgresServer

import gossamer
from gossamer.cli.main import run_verb
from gossamer.lab.server.serve_world import LabServer

_CHANGING = {"created_s", "ended_s", "warc", "warc_offset", "model", "address", "took_s"}
"""What two runs of a verb or two archives do not have in common."""


class TwoWebs:
    """A web in a directory and its twin in a database, each with a folder for what verbs write."""

    def __init__(self, server: PostgresServer, folder: Path) -> None:
        self.folder = folder
        self.directory = folder / "same.web"
        self._server, self._name = server, server.make_database()
        self.database = f"{server.make_address(self._name)}?archive={folder / 'archive'}"

    def execute(self, sql: str) -> None:
        """Change the database behind the back of the program."""
        self._server.execute(f"set search_path = gossamer; {sql}", self._name)

    def read_server_files(self) -> bytes:
        """Return the bytes of all files in which the server keeps the database, but its write-ahead log."""
        mine = "select oid from pg_database where datname = current_database()"
        [(number,)] = self._server.execute(mine, self._name)
        self._server.execute("checkpoint")
        folder = self._server.folder / "data" / "base" / str(number)
        return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())

    def fill(self, lab: LabServer) -> None:
        """Crawl a web, and import what was crawled into both."""
        crawled, warc = self.folder / "crawled.web", self.folder / "crawled.warc.gz"
        with gossamer.open(crawled) as opened:
            opened.run([make_quick_task(lab)])
            self.seed = next(page.url for page in opened.store.pages())
        assert run_verb(["export", "warc", str(warc), "--web", str(crawled)]) == 0
        for web in (str(self.directory), self.database):
            for verb in (f"import {warc} --name one", "index"):
                assert run_verb([*verb.split(), "--web", web]) == 0, verb

    def run(self, verbs: str, capfd: pytest.CaptureFixture[str]) -> list[list[Any]]:
        """Run verbs over both; return codes, output and messages of each, alike if the webs are."""
        return [
            [result for verb in verbs.split("; ") for result in self._run(verb, name, web, capfd)]
            for name, web in (("in-directory", str(self.directory)), ("in-database", self.database))
        ]

    def _run(self, verb: str, name: str, web: str, capfd: pytest.CaptureFixture[str]) -> list[Any]:
        out = self.folder / name
        out.mkdir(exist_ok=True)
        capfd.readouterr()
        words = [
            word.replace("OUT", str(out)).replace("SEED", self.seed).replace("WEB", web)
            for word in verb.split(" ")
        ]
        code = run_verb([*words, "--json", *([] if "WEB" in verb else ["--web", web])])
        printed = capfd.readouterr()
        hide = re.compile("|".join(map(re.escape, (str(out), web))))
        rows = [_drop_changing(msgspec.json.decode(line)) for line in hide.sub("", printed.out).splitlines()]
        return [code, rows, hide.sub("", printed.err)]


def _drop_changing(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_changing(one) for key, one in value.items() if key not in _CHANGING}
    return [_drop_changing(one) for one in value] if isinstance(value, list) else value
