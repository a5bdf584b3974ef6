import re
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.unit.ui.asking import ask
from tests.unit.ui.conftest import Asks

from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.ui import render_template
from gossamer.ui.app import application
from gossamer.ui.page_context import Desk
from gossamer.ui.security import Guard
from gossamer.web import Web

EVIL = "\"'><script>alert(1)</script>{{7*7}}"


def test_the_first_page_has_a_box_and_says_what_can_be_found(page: Asks) -> None:
    shown = page("/").text
    assert '<input type="search" name="q"' in shown
    assert "pages of music.web" in shown
    assert page("/search?q=++").text == shown


def test_answers_are_shown_with_what_a_reader_wants(page: Asks, start: str) -> None:
    shown = page("/search?q=eisenstadt+orchestra").text
    assert f'href="{start}haydn"' in shown
    assert "<mark>Eisenstadt</mark>" in shown
    assert "1 near copy" in shown
    for beside in (
        f"/cached?url={quote(start + 'haydn', safe='')}",
        "/search?q=link%3A",
        "/search?q=related%3A",
    ):
        assert beside in shown


def test_filters_are_counted_and_narrow_down(page: Asks) -> None:
    shown = page("/search?q=sinfonien+OR+symphonies").text
    assert re.search(r'href="([^"]*language=de[^"]*)"><span class="value">German</span>', shown)
    narrowed = page("/search?q=sinfonien+OR+symphonies&language=de").text
    assert "Komponisten" in narrowed
    assert "Joseph Haydn" not in narrowed
    assert 'aria-label="Remove the filter German"' in narrowed
    year = page("/search?q=symphony&after=2021&before=2022").text
    assert 'aria-label="Remove the filter 2021"' in year
    assert "2020-06-05" not in year
    assert "2021-06-05" in year


def test_answers_come_in_pages(page: Asks) -> None:
    first = page("/search?q=symphony").text
    (following,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = page(following.replace("&amp;", "&")).text
    titles = [set(re.findall(r"Symphony number \d+(?=</a>)", shown)) for shown in (first, second)]
    assert titles[0]
    assert titles[1]
    assert not titles[0] & titles[1]
    assert 'rel="prev"' in second
    assert "There are no more answers" in page("/search?q=symphony&page=90").text


def test_a_misspelt_word_is_mended(page: Asks) -> None:
    shown = page("/search?q=orchestrra").text
    assert 'Did you mean <a href="/search?q=orchestra">orchestra</a>' in shown
    assert "No page was found." in shown


def test_pages_around_a_page_are_told(page: Asks, start: str) -> None:
    linking = page(f"/search?q=link:{start}haydn").text
    assert "Pages that link to" in linking
    assert "Music library" in linking
    assert "links as “the Haydn page”" in linking
    assert "Pages like" in page(f"/search?q=related:{start}haydn").text
    related = page("/related?q=eisenstadt").text
    assert 'href="/search?q=eisenstadt%20' in related


def test_a_page_that_nobody_links_to_gets_no_advice_about_words(page: Asks) -> None:
    shown = page("/search?q=link:unknown.example").text
    assert "Pages that link to unknown.example</h1>" in shown  # no address that could be opened
    assert "No page was found." in shown
    assert "sympho*" not in shown
    assert 'class="pages"' not in page("/search?q=symphony&page=90").text


@pytest.mark.parametrize("name", ["q", "language", "site", "type", "after", "before", "page"])
def test_nothing_that_is_asked_becomes_markup(page: Asks, name: str) -> None:
    for path in ("/search", "/related"):
        shown = page(f"{path}?q=haydn&{name}={quote(EVIL)}")
        assert shown.status == 200
        assert "<script>alert" not in shown.text
        assert "49" not in re.findall(r'value="([^"]*)"', shown.text)


@pytest.mark.parametrize(
    "told", ["page={0}", "after={0}&before={0}", "after={0}", "page=%C2%B2", "page=-1", "page="]
)
def test_numbers_that_are_none_are_left_out(page: Asks, told: str) -> None:
    shown = page(f"/search?q=symphony&{told.format('9' * 5000)}")
    assert (shown.status, 'class="stats"' in shown.text) == (200, True)


def test_nothing_that_a_page_says_becomes_markup(page: Asks) -> None:
    shown = page("/search?q=malice").text
    assert "Hostile &lt;script&gt;alert(1)&lt;/script&gt; concert" in shown
    assert "<script>alert" not in shown


def test_suggestions_come_as_options(page: Asks) -> None:
    shown = page("/suggest?q=eisenstadt+orch").text
    assert 'role="option"' in shown
    assert ">eisenstadt orchestra</a>" in shown
    assert page("/suggest?q=").text.strip() == ""


def test_help_names_every_field(page: Asks) -> None:
    from gossamer.search.query.parse_query import FIELDS

    shown = page("/help").text
    assert [field for field in FIELDS if f"{field}:" not in shown] == []


def test_what_is_not_there_is_said_in_a_sentence(page: Asks) -> None:
    assert (page("/nowhere").status, "There is no such page here." in page("/nowhere").text) == (404, True)
    assert page("/static/../app.py").status == 404
    assert page("/search", method="POST").status == 405


def test_a_web_without_an_index_says_what_to_do(tmp_path: Path) -> None:
    Web(tmp_path / "new").close()
    with Desk(tmp_path / "new") as desk:
        app = application(desk, Guard())
        assert "gossamer index" in ask(app, "/").text
        asked = ask(app, "/search?q=x")
        assert (asked.status, "gossamer index --web" in asked.text) == (400, True)
        assert "builds it.</p>" in asked.text  # a whole sentence


def test_what_is_indexed_meanwhile_is_found(own: Path) -> None:
    with Desk(own) as desk:
        app = application(desk, Guard())
        assert "No page was found." in ask(app, "/search?q=theremin").text
        writer = Index(own / "index").writer()
        writer.add(Entry(id=1, url="https://new.example/", title="On the theremin", kind="html"))
        writer.commit()
        assert "On the theremin" in ask(app, "/search?q=theremin").text


def test_pages_go_without_a_script_that_was_not_fetched(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render_template, "SCRIPT", "absent.js")
    with Desk(library) as desk:
        shown = ask(application(desk, Guard()), "/search?q=haydn").text
    assert "htmx" not in shown
    assert "hx-" not in shown
    assert "Related words and pages" in shown


def test_a_mistake_of_the_program_tells_strangers_nothing(
    page: Asks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("inner secret")

    monkeypatch.setattr(Web, "suggestions", broken)
    told = page("/suggest?q=abc", raising=RuntimeError)
    assert (told.status, "inner secret" in told.text) == (500, False)
    assert "content-security-policy" in told.headers
