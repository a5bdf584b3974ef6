import re

import pytest

from gossamer.net.html.parse_tree import parse_page
from gossamer.search.answers.snippets import Marker
from gossamer.search.query.parse_query import Words
from gossamer.ui.pages.mark_copy import mark_words


def mark(page: str, *words: str, language: str = "en") -> str:
    """Return the body of a page with marked words, each mark written as [word]."""
    marker = Marker([Words(word) for word in words], [language])
    tree = parse_page(page)
    count = mark_words(tree, lambda text, most: marker.find_marks(text, language, most))
    assert tree.root is not None
    found = re.sub(r"<mark [^>]*>(.*?)</mark>", r"[\1]", tree.root.html)
    assert found.count("[") == count
    return found.partition("<body>")[2].removesuffix("</body></html>")


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        ("<p>A symphony of Haydn</p>", "<p>A [symphony] of [Haydn]</p>"),
        ("<p>Haydn's <b>symphonies</b>, haydn.", "<p>[Haydn]'s <b>[symphonies]</b>, [haydn].</p>"),
        ("<p>Haydnesque unsymphonic", "<p>Haydnesque unsymphonic</p>"),
        ("<p>haydn &lt;script&gt;haydn", "<p>[haydn] &lt;script&gt;[haydn]</p>"),
    ],
)
def test_words_are_marked_in_all_their_forms(page: str, marked: str) -> None:
    assert mark(page, "symphonies", "haydn") == marked


@pytest.mark.parametrize(
    "inside",
    [
        "<script>haydn</script>",
        "<style>haydn</style>",
        "<textarea>haydn</textarea>",
        "<select><option>haydn</option></select>",
        "<svg><text>haydn</text></svg>",
        "<!-- haydn -->",
        '<img alt="haydn" title="haydn">',
        "<iframe>haydn</iframe>",
    ],
)
def test_only_visible_text_is_marked(inside: str) -> None:
    assert "[" not in mark(f"<title>haydn</title>{inside}", "haydn")


def test_marks_are_limited() -> None:
    assert mark("<p>" + "haydn " * 500 + "</p>" + "<p>haydn</p>" * 5_000, "haydn").count("[") == 2_000


def test_scripts_without_spaces_are_marked() -> None:
    assert mark("<p>日本の東京大学</p>", "東京", language="ja").count("[") >= 1
