import pytest

from gossamer.search.index.page_names import (
    ANCHOR,
    EXACT,
    NAME,
    TITLE,
    list_name_tokens,
    make_query_tokens,
    make_token,
    split_title,
)
from gossamer.search.terms.analysis import TermTables


@pytest.mark.parametrize(
    ("title", "part"),
    [
        ("csv — CSV File Reading and Writing — Python 3.11.2 documentation", "CSV File Reading and Writing"),
        ("Haydn | Composers", "Haydn"),
        ("8.15. Arrays", "Arrays"),
        ("Chapter 12. Full Text Search", "Full Text Search"),
        ("Part III. Server Administration", "Server Administration"),
        ("Mercury (planet)", "Mercury"),
        ("email.utils: Miscellaneous utilities", "email.utils"),
    ],
)
def test_parts_of_titles(title: str, part: str) -> None:
    assert part in split_title(title)


def test_titles_without_parts_have_none() -> None:
    assert split_title("World War I") == []
    assert split_title("") == []


def test_names_of_a_page() -> None:
    tokens = list_name_tokens("Volcanoes - Example", ["volcano", "fire mountain"], TermTables()["en"].join)
    assert make_token(TITLE, "volcanoes example") in tokens
    assert make_token(EXACT, "volcanoes") in tokens
    asked = make_query_tokens(["fires", "mountain"], ["en"])
    assert asked[ANCHOR][0] in tokens
    asked = make_query_tokens(["volcano"], ["en", "en"])
    assert len(asked[NAME]) == 1
    # A link text that is a name already does not count again.
    assert (asked[NAME][0] in tokens, asked[ANCHOR][0] in tokens) == (True, False)
    assert asked[EXACT][0] not in tokens
    assert len(tokens) == len(set(tokens))


def test_a_page_without_title_and_links_has_no_names() -> None:
    assert list_name_tokens("", [""], TermTables()["en"].join) == []
