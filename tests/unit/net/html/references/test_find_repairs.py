"""Where a parser has to repair a page."""

import pytest

from gossamer.net.html.references.find_repairs import find_repairs


@pytest.mark.parametrize(
    "sound",
    [
        "<!DOCTYPE html><html><head><title>x</title></head><body><p>x</body></html>",
        "<ul><li>a<li>b</ul><dl><dt>a<dd>b<dt>c</dl>",
        "<p>a<p>b<div>c</div>",
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table><thead><tr><th>a</thead><tbody><tr><td>b</tbody></table>",
        "<table><tr><td><table><tr><td>x</table></table>",
        "<select><option>a<option>b</select>",
        "<svg><path/><g><title>x</title></g></svg>",
        "<script>'</div>'</script><style>a > b</style><textarea></p></textarea>",
        "<p>a<br>b<img src=x>c<input>",
        "<!-- <b> --><p title='<b>'>x",
        "<a href=x>y</a> <a href=z>w</a>",
    ],
)
def test_sound_pages_need_no_repair(sound: str) -> None:
    assert find_repairs(sound.encode()) == []


@pytest.mark.parametrize(
    ("source", "place", "why"),
    [
        ("<p><b><i>x</b></i>", 10, "</b> while <i> is open"),
        ("<div>x", 0, "<div> is never closed"),
        ("<p>x</div>", 4, "</div> closes nothing"),
        ("<table>x<tr><td>y</table>", 7, "text between the cells of a table"),
        ("<table><b>x</b><tr><td>y</table>", 7, "<b> between the cells of a table"),
        ("<a href=x>y<a href=z>w</a>", 11, "a link in a link"),
        ("<form><form></form></form>", 6, "a form in a form"),
        ("<p id=a class=b id=c>", 16, "an attribute that the tag has already"),
        ("<p>x<b", 4, "a tag that is never closed"),
        ("<p>x<!-- y", 4, "a comment that is never closed"),
        ("<title>x", 0, "<title> is never closed"),
    ],
)
def test_repairs_have_a_place_and_a_reason(source: str, place: int, why: str) -> None:
    assert (place, why) in find_repairs(source.encode())


def test_so_many_and_no_more_are_reported() -> None:
    assert len(find_repairs(b"</b>" * 1_000, 10)) == 10
