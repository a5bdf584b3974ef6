import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.unit.ui.app_client import ask
from tests.unit.ui.conftest import GetPage

from gossamer.search.answers.answer_records import Answers
from gossamer.search.index.page_entry import Entry
from gossamer.search.index.search_index import Index
from gossamer.ui import render_template
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.pages.search_page import _number_pages
from gossamer.ui.pages.search_params import SearchRequest
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web

EVIL = "\"'><script>alert(1)</script>{{7*7}}"


def test_the_home_page_has_a_box_and_the_number_of_pages(get_page: GetPage) -> None:
    shown = get_page("/").text
    assert '<input type="search" name="q"' in shown
    assert "pages of music.web" in shown
    assert get_page("/search?q=++").text == shown
    led = get_page("/?q=eisenstadt+%26&page=2")
    assert (led.status, led.headers["location"]) == (307, "/search?q=eisenstadt+%26&page=2")


def test_answers_have_snippets_copies_and_links(get_page: GetPage, start: str) -> None:
    shown = get_page("/search?q=eisenstadt+orchestra").text
    assert f'href="{start}haydn"' in shown
    assert "<mark>Eisenstadt</mark>" in shown
    assert "1 near copy" in shown
    for address in (
        f"/cached?url={quote(start + 'haydn', safe='')}",
        "/search?q=link%3A",
        "/search?q=related%3A",
    ):
        assert address in shown


def test_filters_show_counts_and_narrow_the_answers(get_page: GetPage) -> None:
    shown = get_page("/search?q=sinfonien+OR+symphonies").text
    assert re.search(r'href="([^"]*language=de[^"]*)"><span class="value">German</span>', shown)
    narrowed = get_page("/search?q=sinfonien+OR+symphonies&language=de").text
    assert "Komponisten" in narrowed
    assert "Joseph Haydn" not in narrowed
    assert 'aria-label="Remove the filter German"' in narrowed
    year = get_page("/search?q=symphony&after=2021&before=2022").text
    assert 'aria-label="Remove the filter 2021"' in year
    assert "2020-06-05" not in year
    assert "2021-06-05" in year


def test_answers_are_split_into_pages(get_page: GetPage) -> None:
    first = get_page("/search?q=symphony").text
    (following,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = get_page(following.replace("&amp;", "&")).text
    titles = [set(re.findall(r"Symphony number \d+(?=</a>)", shown)) for shown in (first, second)]
    assert titles[0]
    assert titles[1]
    assert not titles[0] & titles[1]
    assert 'rel="prev"' in second
    assert "There are no more answers" in get_page("/search?q=symphony&page=90").text


@pytest.mark.parametrize(
    ("page", "pages", "more", "numbers"),
    [
        (1, 1, False, []),
        (1, 3, True, [1, 2, 3]),
        (1, 40, True, list(range(1, 11))),
        (20, 40, True, list(range(16, 26))),
        (40, 40, False, list(range(31, 41))),
        (3, 2, True, [1, 2, 3, 4]),
        (100, 100, False, list(range(91, 101))),
    ],
)
def test_pages_of_answers_are_numbered(page: int, pages: int, more: bool, numbers: list[int]) -> None:
    found = Answers("x", 400, page, (), {}, more, pages)
    assert list(_number_pages(page, found)) == numbers


def test_every_numbered_page_has_answers(get_page: GetPage) -> None:
    first = get_page("/search?q=the+OR+der").text
    numbers = re.findall(r'aria-label="Page (\d+)"', first)
    assert numbers == [str(number + 1) for number in range(len(numbers))]
    assert len(numbers) > 1
    assert 'class="title"' in get_page(f"/search?q=the+OR+der&page={numbers[-1]}").text
    beyond = get_page(f"/search?q=the+OR+der&page={len(numbers) + 1}").text
    assert f'<a href="/search?q=the%20OR%20der&amp;page={numbers[-1]}">last page</a>' in beyond


def test_a_misspelt_word_is_corrected(get_page: GetPage) -> None:
    shown = get_page("/search?q=orchestrra").text
    assert 'Did you mean <a href="/search?q=orchestra">orchestra</a>' in shown
    assert "No page was found." in shown


def test_linking_similar_and_related_pages_are_shown(get_page: GetPage, start: str) -> None:
    linking = get_page(f"/search?q=link:{start}haydn").text
    assert "Pages that link to" in linking
    assert "Music library" in linking
    assert "links as “the Haydn page”" in linking
    assert "Pages like" in get_page(f"/search?q=related:{start}haydn").text
    related = get_page("/related?q=eisenstadt").text
    assert 'href="/search?q=eisenstadt%20' in related


def test_link_without_answers_gives_no_advice_about_words(get_page: GetPage) -> None:
    shown = get_page("/search?q=link:unknown.example").text
    assert "Pages that link to unknown.example</h1>" in shown  # not a link, since the scheme is missing
    assert "No page was found." in shown
    assert "sympho*" not in shown
    assert 'class="pages"' not in get_page("/search?q=symphony&page=90").text


@pytest.mark.parametrize("name", ["q", "language", "site", "type", "after", "before", "page"])
def test_parameters_are_escaped(get_page: GetPage, name: str) -> None:
    for path in ("/search", "/related"):
        shown = get_page(f"{path}?q=haydn&{name}={quote(EVIL)}")
        assert shown.status == 200
        assert "<script>alert" not in shown.text
        assert "49" not in re.findall(r'value="([^"]*)"', shown.text)


@pytest.mark.parametrize(
    "parameters", ["page={0}", "after={0}&before={0}", "after={0}", "page=%C2%B2", "page=-1", "page="]
)
def test_invalid_numbers_are_ignored(get_page: GetPage, parameters: str) -> None:
    shown = get_page(f"/search?q=symphony&{parameters.format('9' * 5000)}")
    assert (shown.status, 'class="stats"' in shown.text) == (200, True)


def test_texts_of_pages_are_escaped(get_page: GetPage) -> None:
    shown = get_page("/search?q=malice").text
    assert "Hostile &lt;script&gt;alert(1)&lt;/script&gt; concert" in shown
    assert "<script>alert" not in shown


def test_suggestions_come_as_options(get_page: GetPage) -> None:
    shown = get_page("/suggest?q=eisenstadt+orch").text
    assert 'role="option"' in shown
    assert ">eisenstadt orchestra</a>" in shown
    assert get_page("/suggest?q=").text.strip() == ""


def test_help_names_every_field(get_page: GetPage) -> None:
    from gossamer.search.query.parse_query import FIELDS

    shown = get_page("/help").text
    assert [field for field in FIELDS if f"{field}:" not in shown] == []


def test_unknown_addresses_and_methods_are_refused(get_page: GetPage) -> None:
    assert (get_page("/nowhere").status, "There is no such page here." in get_page("/nowhere").text) == (
        404,
        True,
    )
    assert get_page("/static/../app.py").status == 404
    assert get_page("/search", method="POST").status == 405


def test_examples_are_words_of_this_web(get_page: GetPage) -> None:
    for shown in (get_page("/help").text, get_page("/search?q=zzzz").text):
        queries = re.findall(r'class="example" href="([^"]+)"', shown)
        assert len(queries) > 2
        assert "haidn" not in shown
        for address in queries:
            if not any(name in address for name in ("before", "url%3A", "link%3A")):
                assert "No page was found." not in get_page(address.replace("&amp;", "&")).text, address


def test_errors_have_headings_in_plain_words(get_page: GetPage) -> None:
    missing = get_page("/nowhere").text
    assert "<h1>Page not found</h1>" in missing
    assert '<a href="/">Search Gossamer</a>' in missing
    assert "<h1>Request not accepted</h1>" in get_page("/search", method="POST").text
    assert "<h1>Please check your request</h1>" in get_page("/assess/none/results").text
    assert "Not answered" not in missing


def test_a_web_without_an_index_says_what_to_do(tmp_path: Path) -> None:
    Web(tmp_path / "new").close()
    with PageContext(tmp_path / "new") as context:
        app = make_application(context, Guard())
        assert "gossamer index" in ask(app, "/").text
        reply = ask(app, "/search?q=x")
        assert (reply.status, "gossamer index --web" in reply.text) == (400, True)
        assert "builds it.</p>" in reply.text  # a whole sentence
        assert "<h1>No index yet</h1>" in reply.text
        assert f"The web at {tmp_path}/new has no index yet" in reply.text
        assert f"<code>gossamer index --web {tmp_path}/new</code>" in reply.text


def test_pages_indexed_meanwhile_are_found(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        assert "No page was found." in ask(app, "/search?q=theremin").text
        writer = Index(own / "index").writer()
        writer.add(Entry(id=1, url="https://new.example/", title="On the theremin", kind="html"))
        writer.commit()
        assert "On the theremin" in ask(app, "/search?q=theremin").text


def test_pages_work_without_htmx(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_template, "SUGGESTIONS_SCRIPT", "absent.js")
    with PageContext(library) as context:
        shown = ask(make_application(context, Guard()), "/search?q=haydn").text
    assert "htmx" not in shown
    assert "hx-" not in shown
    assert "Related words and pages" in shown


def test_a_bug_reveals_no_details(get_page: GetPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("inner secret")

    monkeypatch.setattr(Web, "suggestions", fail)
    reply = get_page("/suggest?q=abc", raising=RuntimeError)
    assert (reply.status, "inner secret" in reply.text) == (500, False)
    assert "content-security-policy" in reply.headers


def test_an_unknown_field_is_said_on_the_page(get_page: GetPage) -> None:
    shown = get_page("/search?q=lang:de+haydn").text
    assert (
        '<p class="note">There is no field <code>lang:</code>; did you mean <code>language:</code>?' in shown
    )


def test_the_title_of_the_web_is_shown_escaped_and_at_once(own: Path) -> None:
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard())
        assert "<title>haydn · Gossamer</title>" in ask(app, "/search?q=haydn").text
        with Web(own) as web:
            web.set_title("Notes & <b>scores</b>")
        home = ask(app, "/").text
        assert "<title>Notes &amp; &lt;b&gt;scores&lt;/b&gt;</title>" in home
        assert home.count("Notes &amp; &lt;b&gt;scores&lt;/b&gt;</span>") == 2
        assert "· Notes &amp; &lt;b&gt;scores&lt;/b&gt;</title>" in ask(app, "/search?q=haydn").text
        assert "<b>scores" not in home


def test_the_title_of_the_web_is_a_secret_before_the_login(own: Path) -> None:
    with Web(own) as web:
        web.set_title("Secret library")
    with PageContext(own, NAVIGATION) as context:
        app = make_application(context, Guard(token="x" * 20, names=()))
        assert "Secret library" not in ask(app, "/enter").text
        wrong = ask(app, "/enter", "POST", {"origin": "http://127.0.0.1:8080"}, b"token=wrong")
        assert (wrong.status, "Secret library" in wrong.text) == (403, False)


def test_groups_are_links_that_filter_the_answers(get_page: GetPage) -> None:
    shown = get_page("/search?q=symphony").text
    (address,) = re.findall(r'<a href="([^"]+)">Group answers that share words</a>', shown)
    listed = get_page(address.replace("&amp;", "&")).text
    links = re.findall(
        r'<a href="(/groups[^"]+group=[^"]+)"><span class="value" dir="auto">([^<]+)</span> <span class="count">([\d,]+)',
        listed,
    )
    assert len(links) > 1
    group, label, count = links[0]
    one = get_page(html.unescape(group)).text
    assert f'aria-label="Remove the filter {label}"' in one
    assert f">{count} of " in one
    assert f'aria-current="true"><span class="value" dir="auto">{label}</span>' in one
    assert 0 < one.count('class="snippet"') <= min(10, int(count))


def test_a_group_that_is_gone_shows_all_answers_and_says_so(get_page: GetPage) -> None:
    shown = get_page(f"/groups?q=symphony&group={quote(EVIL)}")
    assert shown.status == 200
    assert "This group does not exist any more" in shown.text
    assert "<script>alert" not in shown.text
    assert "Symphony number" in shown.text


def test_groups_of_nothing_and_of_few_answers_are_sentences(get_page: GetPage) -> None:
    assert "share too few words" in get_page("/groups?q=zyzzyva").text
    assert '<input type="search"' in get_page("/groups").text
    assert "Group answers that share words" not in get_page("/search?q=eisenstadt+orchestra").text


def test_the_group_is_kept_on_other_pages_and_dropped_by_filters() -> None:
    search = SearchRequest(q="x", group="Steam", page=2)
    assert search.make_address(page=3) == "/groups?q=x&group=Steam&page=3"
    assert search.make_address(language="de") == "/search?q=x&language=de"
    assert search.make_address(group="") == "/search?q=x"
    assert search.make_address("/related") == "/related?q=x"
