"""Documents beyond HTML in a whole crawl: read, followed, indexed, exported and explained."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.crawl.harness import HTML, EventLog, Toy, make_command, make_link_page, make_quick_task, run
from tests.unit.ui.app_client import ask

from gossamer.lab.documents.sample_document import FORMS, SampleDocument, write_document
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving
from gossamer.records import Page
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

HOST = "127.0.80.1"
ENGLISH = "The harbour master says that the copper lanterns on the pier are lit every evening before the ships return."
GERMAN = "Der Hafenmeister sagt, dass die kupfernen Laternen am Ufer jeden Abend vor der Rückkehr der Schiffe brennen."
pytestmark = pytest.mark.slow


def make_document(form: str) -> LabAnswer:
    text = GERMAN if form == "odt" else ENGLISH
    sample = SampleDocument(
        f"Report {form}",
        "Ada Writer",
        (
            (f"Introduction {form}", text),
            (f"Findings quicksilver{form}", f"{text} It was quicksilver{form}."),
        ),
        ((f"/linked-{form}", f"more on {form}"),),
    )
    headers = [("Content-Type", FORMS[form].media_type)]
    if form == "rtf":
        headers.append(("X-Robots-Tag", "nofollow"))
    if form == "epub":
        headers.append(("X-Robots-Tag", "noindex"))
    return LabAnswer(200, tuple(headers), write_document(form, sample))


def make_world() -> Toy:
    names = {f"/doc-{form}.{how.extension}": form for form, how in FORMS.items()}
    pages = {path: make_document(form) for path, form in names.items()}
    pages["/"] = make_link_page(*names, "/broken.pdf", "/old.doc", "/notes.txt", text="<title>Start</title>")
    pages["/broken.pdf"] = LabAnswer(200, (("Content-Type", "application/pdf"),), b"%PDF-1.4 broken")
    pages["/old.doc"] = LabAnswer(
        200, (("Content-Type", "application/msword"),), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    )
    pages["/notes.txt"] = LabAnswer(200, (("Content-Type", "text/plain"),), f"{ENGLISH}\n".encode())
    for form in FORMS:
        pages[f"/linked-{form}"] = LabAnswer(200, HTML, f"<title>Linked {form}</title>{ENGLISH}".encode())
    return Toy({HOST: pages})  # type: ignore[dict-item]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, EventLog]:
    folder = tmp_path_factory.mktemp("documents") / "web"
    with serving(make_world()) as running:
        seeds = [f"http://{HOST}:{running.port}/"]
        events = run(folder, make_quick_task(running, seeds=seeds, scope="host", delay_s=0.0))
    return folder, events


@pytest.fixture(scope="module")
def indexed(crawled: tuple[Path, EventLog], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed") / "web"
    shutil.copytree(crawled[0], folder)
    with Web(folder) as web:
        web.index()
    return folder


def read_pages(folder: Path) -> dict[str, Page]:
    with Web(folder) as web:
        return {page.url.partition(str(HOST))[2].partition("/")[2]: page for page in web.store.pages()}


def test_links_in_documents_are_followed_unless_a_header_says_no(crawled: tuple[Path, EventLog]) -> None:
    linked = {name.removeprefix("linked-") for name in read_pages(crawled[0]) if name.startswith("linked-")}
    # An image has no links, and the header of the rich text asks not to follow them. Relative addresses mean a file
    # inside an e-book, and nothing in mail.
    assert linked == set(FORMS) - {"image", "rtf", "epub", "mail"}


def test_documents_have_title_text_and_language(crawled: tuple[Path, EventLog]) -> None:
    pages = read_pages(crawled[0])
    for form, how in FORMS.items():
        page = pages[f"doc-{form}.{how.extension}"]
        assert page.kind == how.kind
        assert page.words > 20
        assert page.language == ("de" if form == "odt" else "en")
        assert page.marks["format"] == form
        assert page.title == ("" if form == "mail" else f"Report {form}")
    assert pages["doc-pdf.pdf"].marks["author"] == "Ada Writer"
    assert pages["doc-pdf.pdf"].marks["parts"] == "2"
    assert pages["notes.txt"].language == "en"


def test_what_cannot_be_read_is_kept_counted_and_explained(crawled: tuple[Path, EventLog]) -> None:
    folder, events = crawled
    pages = read_pages(folder)
    assert pages["broken.pdf"].marks == {"unreadable": "broken: it is not a whole PDF file"}
    assert pages["old.doc"].marks["unreadable"].startswith("unsupported: files of Office before 2007")
    counts = events.get_end().counts
    assert counts["unread:broken"] == counts["unread:unsupported"] == 1
    assert counts["read:pdf"] == counts["read:docx"] == 1
    done = subprocess.run(
        make_command("explain", pages["broken.pdf"].url, "--web", str(folder)), capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "broken: it is not a whole PDF file" in " ".join(done.stdout.split())


def test_search_finds_documents_and_names_the_page(indexed: Path) -> None:
    with Web(indexed) as web:
        [found] = web.search("quicksilverpdf").answers
        assert (found.title, found.type) == ("Report pdf", "pdf")
        assert found.snippet.text.startswith("page 2: ")
        assert next(text for text, is_mark in found.snippet.pieces() if is_mark).lower() == "quicksilverpdf"
        for form, label in (("pptx", "slide 2"), ("xlsx", "sheet Part 2"), ("mail", "message 2")):
            assert web.search(f"quicksilver{form}").answers[0].snippet.text.startswith(f"{label}: ")


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("lanterns type:pdf", {"Report pdf"}),
        ("laternen type:office", {"Report odt"}),
        ("lanterns type:docx", {"Report docx"}),
        ("lanterns type:image", {"Report image"}),
        ("lanterns mark:format=pptx", {"Report pptx"}),
        ("lanterns type:epub", set()),  # noindex
        ("url:broken type:pdf", {"broken.pdf"}),
    ],
)
def test_types_filter_documents(indexed: Path, query: str, titles: set[str]) -> None:
    with Web(indexed) as web:
        assert {answer.title for answer in web.search(query).answers} == titles


def test_an_index_is_up_to_date_after_documents_that_cannot_be_read(indexed: Path) -> None:
    with Web(indexed) as web:
        again = web.index()
    assert (again.added, again.changed, again.missing) == (0, 0, 0)


def test_a_corpus_has_the_sentences_of_documents(crawled: tuple[Path, EventLog], tmp_path: Path) -> None:
    out = tmp_path / "corpus.jsonl"
    command = make_command("export", "corpus", str(out), "--web", str(crawled[0]))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    urls = {json.loads(line)["url"].rpartition("/")[2] for line in out.read_text("utf-8").splitlines()}
    assert "doc-odt.odt" in urls  # the only one in German; the others repeat their sentence


def test_a_copy_of_a_document_is_its_text(indexed: Path) -> None:
    url = read_pages(indexed)["doc-pdf.pdf"].url
    with PageContext(indexed, NAVIGATION) as context:
        copy = ask(make_application(context, Guard()), f"/cached/page?url={url}&q=lanterns")
        broken = ask(
            make_application(context, Guard()), f"/cached/page?url={url.replace('doc-pdf', 'broken')}"
        )
    assert copy.status == 200
    assert copy.headers["content-type"] == "text/html; charset=utf-8"
    assert "<mark" in copy.text
    assert "harbour master" in copy.text
    assert broken.status == 403
    assert "could not be read" in broken.text


def test_the_extra_is_named_when_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "gossamer.documents.read_document.find_missing_package",
        lambda reader: "pypdfium2" if reader == "pdf" else "",
    )
    with serving(make_world()) as running:
        seeds = [f"http://{HOST}:{running.port}/doc-pdf.pdf"]
        run(tmp_path / "web", make_quick_task(running, seeds=seeds, scope="page"))
    [page] = read_pages(tmp_path / "web").values()
    assert page.kind == "pdf"
    assert page.marks["unreadable"].startswith("missing extra: install pypdfium2 with  pip install")
