"""The pages and the API over several webs: a library, a second web with hostile titles, and a server that is down."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from tests.unit.ui.app_client import Reply, ask
from tests.unit.ui.conftest import GetPage

from gossamer.search.answers.answer_records import Answers
from gossamer.search.answers.web_statistics import WebStatistics
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.ui.security import SecurityMiddleware
from gossamer.web import Web

DOWN = "http://127.0.0.1:1/"
EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other") / "other.web"
    with Web(folder) as web:
        web.set_title(f"Other {EVIL}")
    writer = Index(folder / "index").writer()
    url = "https://other.example/haydn"
    writer.put(
        Entry(id=1, url=url, title=f"Haydn {EVIL}", main="Haydn elsewhere.", language="en", kind="html")
    )
    writer.commit()
    writer.close()
    return folder


@pytest.fixture(scope="module")
def several(library: Path, other: Path) -> Iterator[SecurityMiddleware]:
    with PageContext(library, NAVIGATION, [str(library), str(other), DOWN]) as context:
        yield make_application(context, Guard())


def read(reply: Reply) -> Answers:
    return msgspec.json.decode(reply.body, type=Answers)


def test_answers_of_all_webs_are_shown_with_their_origin(several: SecurityMiddleware, library: Path) -> None:
    shown = ask(several, "/search?q=haydn").text
    assert "https://other.example/haydn" in shown
    assert "127.9.7.1" in shown
    assert "music.web" in shown
    assert f"{DOWN} was left out: it cannot be reached (connect)." in shown
    assert "<h2>Web</h2>" in shown
    assert EVIL not in shown
    assert "Other &lt;script&gt;" in shown
    assert f"origin={quote(str(library), safe='')}" in shown


def test_one_web_can_be_chosen_and_the_choice_stays(several: SecurityMiddleware, other: Path) -> None:
    address = f"/search?q=haydn&origin={quote(str(other), safe='')}"
    shown = ask(several, address).text
    assert "https://other.example/haydn" in shown
    assert "127.9.7.1" not in shown
    assert f'<input type="hidden" name="origin" value="{other}">' in shown
    assert "Remove the filter Other" in shown
    assert ask(several, "/search?q=haydn&origin=nowhere").status == 400


def test_copies_come_from_the_web_that_has_the_page(
    several: SecurityMiddleware, library: Path, other: Path, start: str
) -> None:
    page = quote(f"{start}haydn", safe="")
    assert ask(several, f"/cached?url={page}&origin={quote(str(library), safe='')}").status == 200
    assert ask(several, f"/cached?url={page}&origin={quote(str(other), safe='')}").status == 404
    assert ask(several, f"/cached?url={page}&origin=http://127.0.0.1:1/").status == 400


def test_the_home_page_names_all_webs(several: SecurityMiddleware) -> None:
    shown = ask(several, "/").text
    assert "music.web" in shown
    assert f"{DOWN} cannot be searched now" in shown
    assert EVIL not in shown


def test_the_api_gives_origins(several: SecurityMiddleware, library: Path, other: Path) -> None:
    found = read(ask(several, "/api/search?q=haydn"))
    assert {answer.origin for answer in found.answers} == {str(library), str(other)}
    assert found.counts["origin"] == {str(library): 4, str(other): 1}
    one = read(ask(several, f"/api/search?q=haydn&origin={quote(str(other), safe='')}"))
    assert one.total == 1


def test_a_server_of_several_webs_says_so(several: SecurityMiddleware) -> None:
    told = msgspec.json.decode(ask(several, "/api/statistics?q=haydn").body, type=WebStatistics)
    assert (told.scoring, told.terms) == ("several webs", ())


def test_one_web_has_no_origins(get_page: GetPage) -> None:
    plain = msgspec.json.decode(get_page("/api/search?q=haydn").body)
    assert "origins" not in plain
    assert not {"origin", "fingerprint"} & set(plain["answers"][0])
    told = msgspec.json.decode(get_page("/api/statistics?q=haydn&languages=en").body, type=WebStatistics)
    assert told.pages > 10


def test_a_server_without_a_web_of_its_own_searches_and_refuses_the_rest() -> None:
    with PageContext(None, (), [DOWN]) as context:
        app = make_application(context, Guard())
        assert ask(app, "/").status == 200
        assert "has none of its own" in ask(app, "/submit").text
        assert ask(app, "/help").status == 200
        failed = ask(app, "/search?q=haydn")
        assert failed.status == 500
        assert "none of the webs can be searched" in failed.text.lower()


def test_a_token_is_also_taken_as_a_password(library: Path) -> None:
    with PageContext(library) as context:
        app = make_application(context, Guard("open sesame", names=()))
        given = {"authorization": "Basic Om9wZW4gc2VzYW1l"}  # :open sesame
        assert ask(app, "/api/statistics", headers=given).status == 200
        for wrong in ("Basic b3BlbiBzZXNhbWU=", "Basic ???", "Basic", "Digest OnNlc2FtZQ=="):
            assert ask(app, "/api/statistics", headers={"authorization": wrong}).status == 401
