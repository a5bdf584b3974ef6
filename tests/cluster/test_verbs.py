"""Every verb answers alike over a web in a directory and over the same web in a database."""

import csv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crawl.harness import serve_lab
from tests.postgres_server import PostgresServer

pytest.importorskip("psycopg", reason="psycopg is not installed (extra cluster)")

from tests.cluster.two_webs import TwoWebs

import gossamer
from gossamer.lab.world.world import World
from gossamer.store.archive.warc_records import WarcReader

_GRAPHS = ("stats", "bowtie", "pagerank", "hits", "noise", "cliques", "clusters", "cores", "communities")


@pytest.fixture(scope="module")
def webs(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoWebs]:
    folder = tmp_path_factory.mktemp("webs")
    with pytest.MonkeyPatch.context() as patch, serve_lab(World(seed=5, hosts=4, pages=60)) as lab:
        patch.setenv("XDG_DATA_HOME", str(folder / "home"))
        made = TwoWebs(postgres_server, folder)
        made.fill(lab)
        yield made


@pytest.mark.parametrize(
    "verbs",
    [
        "web set title=Both; web show",
        "tasks; explain SEED",
        "index; search page; search link:SEED",
        *(f"graph {name}" for name in _GRAPHS),
        "graph stats --unit hosts --rim",
        "graph stats --without-noise --links content --depth 0-1",
        "graph compare WEB,name=all WEB,links=content,name=content",
        "graph export lines OUT/graph",
        "topics train words --text music,school; topics show; topics show words; topics score SEED; topics report; "
        "topics export words --out OUT/words.bin; topics import OUT/words.bin --name again",
        "assess --sample 5 --out OUT/sheet.csv; assess --judgements OUT/sheet.csv; assess --results; assess --list",
        "language detect",
        "language evaluate",
        "export csv OUT/tables; export parquet OUT/parquet; export corpus OUT/corpus.jsonl --min-words 3",
        "change one --pages 70; stop one; submit SEED --task one",
        "serve --port 0 --time 0",
        "explain http://nowhere.example/; topics show none; stop none",
    ],
)
def test_verbs_answer_alike(webs: TwoWebs, verbs: str, capfd: pytest.CaptureFixture[str]) -> None:
    directory, database = webs.run(verbs, capfd)
    assert database == directory
    assert "home" not in str(database), "messages name the web, not the working folder"


def test_exports_have_the_same_content(webs: TwoWebs, capfd: pytest.CaptureFixture[str]) -> None:
    webs.run("export warc OUT/one.warc.gz; export wacz OUT/one.wacz; export csv OUT/files", capfd)
    one, two = (webs.folder / name for name in ("in-directory", "in-database"))
    assert _read_warc(one / "one.warc.gz") == _read_warc(two / "one.warc.gz")
    assert _list_pages(one / "one.wacz") == _list_pages(two / "one.wacz")
    for name in ("pages.csv", "links.csv", "visits.csv"):
        assert _read_table(one / "files" / name) == _read_table(two / "files" / name)


def test_a_sound_web_is_found_sound(webs: TwoWebs, capfd: pytest.CaptureFixture[str]) -> None:
    (_, [directory], _), (_, [database], _) = webs.run("verify", capfd)
    assert database["sound"]
    assert directory["sound"]
    for thing in ("pages", "visits", "links", "rows of known"):
        assert database["checked"][thing] == directory["checked"][thing]


def test_damage_is_found_and_repaired(webs: TwoWebs, capfd: pytest.CaptureFixture[str]) -> None:
    [segment, *_] = sorted((webs.folder / "archive" / "segments").iterdir())
    away = webs.folder / segment.name
    segment.rename(away)
    _, [code, found, _] = webs.run("verify", capfd)
    assert code == 1
    assert {row["problem"] for row in found[:-1]} == {"file missing", "page missing", "visit pointer"}
    away.rename(segment)
    webs.execute("update total set pages = pages + 1 where slot = (select min(slot) from total)")
    webs.execute("update page set warc_offset = 1 where id = (select min(id) from page)")
    _, [code, found, _] = webs.run("verify --repair", capfd)
    assert {(row["problem"], row["repaired"]) for row in found[:-1]} == {("totals", 1), ("pointer", 1)}
    assert code == 0
    _, [code, found, _] = webs.run("verify", capfd)
    assert (code, len(found)) == (0, 1)


def test_revisits_are_planned_alike(webs: TwoWebs, capfd: pytest.CaptureFixture[str]) -> None:
    (_, directory, _), (_, database, _) = webs.run("recrawl --plan", capfd)
    assert directory
    assert [row["what"] for row in database] == [
        row["what"] for row in directory
    ]  # the rest depends on the time


def test_a_program_opens_a_database(webs: TwoWebs) -> None:
    with gossamer.open(webs.database) as one, gossamer.open(webs.directory) as two:
        assert one.graph().targets.tolist() == two.graph().targets.tolist()
        assert [answer.url for answer in one.search("page").answers] == [
            answer.url for answer in two.search("page").answers
        ]
        assert one.name == webs.database


def _read_warc(path: Path) -> list[tuple[str, str, bytes]]:
    """Return type, URL and content of the records, but those about the file itself."""
    records = ((one.type, one.headers.get("warc-target-uri", ""), one.block) for one in WarcReader(path))
    return sorted(record for record in records if record[0] in ("response", "request", "metadata"))


def _read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table, without where they are in the archive."""
    with path.open(newline="") as file:
        return [
            {name: value for name, value in row.items() if "warc" not in name} for row in csv.DictReader(file)
        ]


def _list_pages(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as packed:
        assert packed.testzip() is None
        return sorted(packed.read("pages/pages.jsonl").decode().splitlines())
