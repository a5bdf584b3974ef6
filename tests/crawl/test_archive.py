"""A crawl archives every answer once, and does not reuse errors as pages."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from tests.crawl.harness import (
    HTML,
    Pages,
    Toy,
    check_archive,
    check_state,
    make_link_page,
    make_quick_task,
    read_pages,
    run,
)

from gossamer.crawl.from_archive.import_warc import import_warcs
from gossamer.lab.recordings.replay_warc import Recording
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.serve_world import LabServer, serving
from gossamer.store.archive.warc_records import WarcReader, WarcRecord
from gossamer.web import Web

HOST, OTHER = "127.0.10.1", "127.0.10.2"
GONE = LabAnswer(404, HTML, b"<title>Gone</title><a href='/from-error'>x</a>")
COPY = LabAnswer(200, HTML, b"<title>Copy</title>" + b"the same words " * 50)


@pytest.fixture
def lab() -> Iterator[LabServer]:
    """Serve robots.txt, redirects over two hops, permanent and temporary errors, and copies."""
    busy = iter([LabAnswer(503, HTML, b"busy")])
    pages: Pages = {
        HOST: {
            "/robots.txt": LabAnswer(
                200, (("Content-Type", "text/plain"),), b"User-agent: *\nDisallow: /no\n"
            ),
            "/old": LabAnswer(301, (("Location", "/older"),), b"moved"),
            "/older": LabAnswer(302, (("Location", "/new"),)),
            "/new": make_link_page("/frame", text="<iframe src='/frame'></iframe>"),
            "/frame": make_link_page(text="framed"),
            "/gone": GONE,
            "/gone-too": GONE,
            "/busy": lambda: next(busy, make_link_page(text="no longer")),
            "/copy": COPY,
            "/same": COPY,
        },
        OTHER: {
            "/robots.txt": LabAnswer(301, (("Location", "/rules"),)),
            "/rules": LabAnswer(200, (), b"# all"),
            "/": make_link_page(text="other"),
        },
    }
    with serving(Toy(pages)) as running:
        other = f"http://{OTHER}:{running.port}/"
        targets = ("/old", "/gone", "/gone-too", "/busy", "/copy", "/same", "/no", other)
        pages[HOST]["/"] = make_link_page(*targets)
        yield running


def crawl(lab: LabServer, web: Path, **told: object) -> None:
    run(
        web,
        make_quick_task(
            lab,
            **{"seeds": [f"http://{HOST}:{lab.port}/"], "contact": "mail@example.org", "name": "toy", **told},
        ),
    )


def read_records(web: Path) -> list[WarcRecord]:
    return list(chain.from_iterable(map(WarcReader, sorted((web / "archive").glob("*.warc.gz")))))


def path_of(url: str) -> str:
    return "other" + url.split("/", 3)[3] if OTHER in url else "/" + url.split("/", 3)[3]


def read_index(web: Path) -> Counter[tuple[str, str]]:
    lines = chain.from_iterable(
        path.read_text("utf-8").splitlines() for path in (web / "archive").glob("*.cdxj")
    )
    told = [json.loads(line.split(" ", 2)[2]) for line in lines]
    return Counter((path_of(one["url"]), one["status"]) for one in told)


ANSWERS = Counter(
    [
        *(("/robots.txt", "200"), ("/", "200"), ("/old", "301"), ("/older", "302"), ("/new", "200")),
        *(("/frame", "200"), ("/gone", "404"), ("/gone-too", "404"), ("/busy", "503"), ("/busy", "200")),
        *(
            ("/copy", "200"),
            ("/same", "200"),
            ("otherrobots.txt", "301"),
            ("otherrules", "200"),
            ("other", "200"),
        ),
    ]
)


def test_every_answer_is_archived_once_and_visits_know_where(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    crawl(lab, web)
    assert read_index(web) == ANSWERS
    asked = Counter((entry.target, entry.status) for entry in lab.log.entries())
    assert asked.total() == ANSWERS.total()
    counts = check_archive(web)
    check_state(web)
    # One 404 and one copy are revisits of the other.
    assert (counts["response"], counts["revisit"]) == (13, 2)
    with Web(web) as opened:
        visits = list(opened.store.all_visits())
        assert all(visit.warc for visit in visits if visit.status)
        assert Counter(visit.result for visit in visits if visit.status) == {
            "fetched": 7,
            "redirected": 2,
            "failed": 3,
            "robots": 3,
        }
        assert opened.store.counts()["pages"] == 7
        assert all(page.status == 200 for page in opened.store.pages())


def test_the_archive_records_the_task_and_how_each_page_was_found(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "trier.web"
    crawl(lab, web)
    first, *rest = read_records(web)
    info = dict(line.split(": ", 1) for line in first.block.decode().splitlines())
    assert info.pop("software").startswith("Gossamer/")
    assert info.pop("conformsTo").endswith("/warc-1.1/")
    assert info == {
        "format": "WARC File Format 1.1",
        "isPartOf": "trier.web",
        "description": "toy",
        "operator": "mail@example.org",
        "robots": "obey",
        "http-header-user-agent": "Gossamer (+mail@example.org)",
    }
    told = {}
    for record in rest:
        if record.type == "metadata":
            facts = dict(line.split(": ", 1) for line in record.block.decode().splitlines())
            via = path_of(facts["via"]) if "via" in facts else ""
            told[path_of(record.headers["warc-target-uri"])] = via, facts.get("hopsFromSeed", "")
    assert told == {
        "/robots.txt": ("/", "P"),
        "/": ("", ""),
        "/old": ("/", "L"),
        "/older": ("/old", "LR"),
        "/new": ("/older", "LRR"),
        "/frame": ("/new", "LE"),
        "otherrobots.txt": ("other", "LP"),
        "otherrules": ("otherrobots.txt", "LPR"),
        "other": ("/", "L"),
        **dict.fromkeys(("/gone", "/gone-too", "/busy", "/copy", "/same"), ("/", "L")),
    }


def test_a_task_that_keeps_no_bodies_archives_nothing(lab: LabServer, tmp_path: Path) -> None:
    crawl(lab, tmp_path / "web", bodies=False)
    assert len(read_pages(tmp_path / "web")) == 7
    assert not read_records(tmp_path / "web")


def test_errors_and_robots_are_not_cache_hits(lab: LabServer, tmp_path: Path) -> None:
    crawl(lab, tmp_path / "web")
    before = len(lab.log.entries())
    crawl(lab, tmp_path / "web", name="again", max_age_s=3600.0)
    asked = Counter(entry.target for entry in lab.log.entries()[before:])
    assert asked == {"/old": 1, "/older": 1, "/gone": 1, "/gone-too": 1}


def test_an_import_of_the_archive_yields_the_same_web(lab: LabServer, tmp_path: Path) -> None:
    crawl(lab, tmp_path / "web")
    with Web(tmp_path / "copy") as copy:
        imported = import_warcs(copy.store, copy.folder, [tmp_path / "web" / "archive"], 1.79e9)
    assert imported.damage == []
    check_archive(tmp_path / "copy")
    assert summarize(tmp_path / "copy") == summarize(tmp_path / "web")
    assert read_index(tmp_path / "copy") == ANSWERS


def summarize(web: Path) -> dict[str, object]:
    """Return what must be equal in a web and in an import of its archive."""
    with Web(web) as opened:
        store = opened.store
        pages = {
            (page.url, page.title, page.digest, page.text_digest, page.simhash, page.kind, page.language)
            for page in store.pages()
        }
        visits = Counter((store.url(v.page), v.result, v.status) for v in store.all_visits() if v.status)
        hosts = {name: store.host(name) for name in {page.host for page in store.pages()}}
        robots = {name: host.robots for name, host in hosts.items() if host is not None}
        return {"pages": pages, "links": Counter(store.links()), "visits": visits, "robots": robots}


def test_an_archive_can_be_served_again_with_its_errors(lab: LabServer, tmp_path: Path) -> None:
    crawl(lab, tmp_path / "web")
    [file] = (tmp_path / "web" / "archive").glob("*.warc.gz")
    recording = Recording(file)
    assert not recording.warning
    host = f"{HOST}:{lab.port}"
    answers = {
        path: recording.answer(LabRequest("GET", host, path), 0.0).status for path in ("/", "/old", "/gone")
    }
    assert answers == {"/": 200, "/old": 301, "/gone": 404}
