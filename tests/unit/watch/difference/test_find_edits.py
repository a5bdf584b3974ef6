"""Edits between two versions: changed, added and removed paragraphs, with their neighbours."""

from gossamer.watch.difference.find_edits import Edit, find_edits
from gossamer.watch.difference.part_text import PageVersion, TextBlock


def make(*texts: str) -> PageVersion:
    return PageVersion(0.0, tuple(TextBlock(text) for text in texts))


def test_a_changed_paragraph_is_one_edit() -> None:
    edits = find_edits(make("a", "the shop opens at nine", "z"), make("a", "the shop opens at ten", "z"))
    assert edits == [Edit(("the shop opens at nine",), ("the shop opens at ten",), "a", "z", paired=True)]


def test_paragraphs_come_and_go() -> None:
    edits = find_edits(make("a", "old text here", "z"), make("a", "z", "something else"))
    assert edits == [Edit(("old text here",), (), "a", "z"), Edit((), ("something else",), "z", "")]


def test_a_short_line_is_recognised_without_its_number() -> None:
    [edit] = find_edits(make("a", "17:05"), make("a", "18:20"))
    assert edit.paired


def test_moved_paragraphs_are_no_change() -> None:
    assert find_edits(make("a", "b", "c"), make("c", "a", "b")) == []


def test_a_second_copy_is_a_change() -> None:
    assert find_edits(make("a", "b"), make("a", "b", "a")) == [Edit((), ("a",), "b", "")]


def test_text_outside_the_part_that_enters_it_is_no_change() -> None:
    footer = "All rights reserved by the people of the shop"
    old = PageVersion(0.0, (TextBlock("a"), TextBlock(footer, main=False)))
    assert find_edits(old, make("a", footer)) == []


def test_neighbours_are_blocks_that_stayed() -> None:
    old = make("a", "an advertisement for soap", "count of visits is 1", "z")
    new = make("a", "some poem about the sea", "count of visits is 2", "z")
    assert [(edit.before, edit.after, edit.paired) for edit in find_edits(old, new)] == [
        ("a", "z", False),
        ("a", "z", True),
    ]


def test_thousands_of_new_paragraphs_end_soon() -> None:
    old = make(*(f"{number} {number} old" for number in range(3_000)))
    new = make(*(f"{number} {number} new" for number in range(3_000)))
    assert sum(len(edit.removed) for edit in find_edits(old, new)) == 3_000
