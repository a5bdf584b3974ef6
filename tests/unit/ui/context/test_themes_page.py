"""The pages and the API of themes, over the library about music."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.ui.app_client import Reply, ask
from tests.unit.ui.conftest import GetPage

from gossamer.context.themes.theme_records import Themes
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.web import Web


@pytest.fixture(scope="module")
def themes(library: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Themes]:
    folder = tmp_path_factory.mktemp("themes") / "music.web"
    shutil.copytree(library, folder)
    with Web(folder) as web:
        return folder, web.find_themes(number=5)


@pytest.fixture(scope="module")
def get(themes: tuple[Path, Themes]) -> Iterator[GetPage]:
    with PageContext(themes[0], NAVIGATION) as context:
        app = make_application(context, Guard())

        def get_page(address: str, **options: object) -> Reply:
            return ask(app, address, **options)  # type: ignore[arg-type]

        yield get_page


def test_the_map_has_all_themes(get: GetPage, themes: tuple[Path, Themes]) -> None:
    page = get("/themes")
    assert page.status == 200
    assert page.text.count("<circle ") == len(themes[1].themes)
    for theme in themes[1].themes:
        assert f'href="/themes/{theme.number}"' in page.text
    assert "<script>alert" not in page.text


def test_a_theme_has_its_pages_and_a_search(get: GetPage, themes: tuple[Path, Themes]) -> None:
    theme = themes[1].themes[0]
    page = get(f"/themes/{theme.number}")
    assert page.status == 200
    assert theme.typical[0].url in page.text
    for address in (f"/words?theme={theme.number}", f"/hot?theme={theme.number}&amp;since=7d"):
        assert f'href="{address}"' in page.text
        assert get(address.replace("&amp;", "&")).status == 200
    inside = get(f"/themes/{theme.number}?q={theme.words[0]}")
    assert "Pages of this theme for" in inside.text
    nothing = get(f"/themes/{theme.number}?q=zzzzzz")
    assert "No page of this theme has these words." in nothing.text
    assert get("/themes/999").status == 404


def test_where_links_lead(get: GetPage) -> None:
    page = get("/links?q=haydn")
    assert page.status == 200
    assert "Where the answers to" in page.text
    found = json.loads(get("/api/links?q=haydn").body)
    assert found["answers"] > 0
    assert "/links?q=haydn" in get("/related?q=haydn").text


def test_the_api_has_the_same_themes(get: GetPage, themes: tuple[Path, Themes]) -> None:
    found = json.loads(get("/api/themes").body)
    assert [one["number"] for one in found["themes"]] == [one.number for one in themes[1].themes]
    one = json.loads(get(f"/api/theme?theme={themes[1].themes[1].number}").body)
    assert one["name"] == themes[1].themes[1].name
    wrong = get("/api/theme?theme=999")
    assert wrong.status == 400
    assert "there is no theme" in wrong.text
    described = json.loads(get("/api/openapi.json").body)
    assert {"/api/themes", "/api/theme", "/api/links"} <= described["paths"].keys()


def test_without_themes_a_sentence_says_so(library: Path) -> None:
    with PageContext(library, NAVIGATION) as context:
        app = make_application(context, Guard())
        assert "were not found yet" in ask(app, "/themes").text
        assert ask(app, "/api/themes").status == 400


def test_the_index_refreshes_themes(themes: tuple[Path, Themes], tmp_path: Path) -> None:
    folder = tmp_path / "music.web"
    shutil.copytree(themes[0], folder)
    with Web(folder) as web:
        web.index()
        assert web.find_themes().refreshed_s >= themes[1].refreshed_s
        before = web.find_themes()
        web.index(anew=True)
        from gossamer.context.themes.web_themes import load_themes

        assert load_themes(folder).refreshed_s > before.refreshed_s
        assert load_themes(folder).built_s == before.built_s
        (folder / "themes" / "themes.bin").write_bytes(b"broken")
        assert web.index(anew=True).added > 0, "damaged themes do not stop the index"
