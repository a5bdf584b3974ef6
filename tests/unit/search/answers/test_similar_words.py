from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.answers.similar_words import find_near_words


def edits(one: str, other: str) -> int:
    """Count edits by plain recursion."""
    if not one or not other:
        return len(one) + len(other)
    ways = [
        edits(one[1:], other) + 1,
        edits(one, other[1:]) + 1,
        edits(one[1:], other[1:]) + (one[0] != other[0]),
    ]
    if one[:2] == other[1::-1] and len(one) > 1 and len(other) > 1:
        ways.append(edits(one[2:], other[2:]) + 1)
    return min(ways)


def test_similar_words_are_found_with_their_edits() -> None:
    text = "Haydn, HAIDN; haydns: hadyn (handy) Mozart"
    assert find_near_words(text, "haydn", 0) == [("haydn", 0)]
    assert find_near_words(text, "haydn", 1) == [("haydn", 0), ("haidn", 1), ("haydns", 1), ("hadyn", 1)]
    assert ("handy", 2) in find_near_words(text, "haydn", 2)


def test_long_and_empty_words_match_nothing() -> None:
    assert find_near_words("a" * 65, "a" * 65, 2) == []
    assert find_near_words("a" * 65, "a" * 64, 2) == []
    assert find_near_words("a" * 64, "a" * 64, 2) == [("a" * 64, 0)]
    assert find_near_words("", "haydn", 2) == find_near_words(" . ", "haydn", 2) == []


@given(st.text("abc", max_size=6), st.text("abcé", min_size=1, max_size=6))
def test_edits_agree_with_plain_recursion(word: str, other: str) -> None:
    found = find_near_words(f" {other}.", word, 3)
    assert found == ([(other, edits(word, other))] if edits(word, other) <= 3 else [])
