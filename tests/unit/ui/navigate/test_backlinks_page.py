"""The page of backlinks: hostile titles are text, any address may be asked for."""

from urllib.parse import quote

from tests.unit.ui.conftest import GetPage


def test_it_lists_the_pages_that_link_to_one(get_page: GetPage, start: str) -> None:
    page = get_page(f"/backlinks?url={quote(start)}haydn")
    assert page.status == 200
    assert f'href="{start}"' in page.text
    assert "of this collection link" in page.text


def test_an_unknown_page_says_that_only_collected_pages_are_counted(get_page: GetPage) -> None:
    page = get_page("/backlinks?url=unknown.example/page")
    assert page.status == 200
    assert "The page itself is not in the collection." in page.text
    assert "gossamer crawl https://unknown.example/page --scope any --depth 1" in page.text


def test_a_hostile_address_is_shown_as_text(get_page: GetPage) -> None:
    page = get_page(
        f"/backlinks?url={quote('http://x.example/<script>alert(1)</script>')}&site={quote('<b>')}"
    )
    assert "<script>alert" not in page.text
    assert "<b>" not in page.text


def test_what_is_no_address_is_answered_beside_the_field(get_page: GetPage) -> None:
    page = get_page(f"/backlinks?url={quote('http://')}")
    assert page.status == 400
    assert "is not the address of a page" in page.text
    assert 'aria-describedby="wrong"' in page.text
