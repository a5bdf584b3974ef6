import pytest

from gossamer.search.query.parse_query import (
    MOST_CHARACTERS,
    MOST_WORDS,
    Either,
    Field,
    Group,
    Node,
    Words,
    parse,
)


def w(*texts: str) -> tuple[Words, ...]:
    return tuple(Words(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("", Group()),
        ("a b", Group(should=w("a", "b"))),
        ("a -b", Group(should=w("a"), must_not=w("b"))),
        ("a NOT b", Group(should=w("a"), must_not=w("b"))),
        ("a +b", Group(should=w("a"), must=w("b"))),
        ("a AND b c", Group(must=w("a", "b"), should=w("c"))),
        ("a OR b", Group(must=(Either(w("a", "b")),))),
        ("(a OR b) AND c", Group(must=(Either(w("a", "b")), *w("c")))),
        ('"two words" x', Group(should=(Words("two words", "phrase"), *w("x")))),
        (
            "comput* color~ ab~1",
            Group(should=(Words("comput", "prefix"), Words("color", "fuzzy"), *w("ab~1"))),
        ),
        (
            "title:x Site:a.example b",
            Group(must=(Field("title", "x"), Field("site", "a.example")), should=w("b")),
        ),
        ('-title:"a b"', Group(must_not=(Field("title", "a b"),))),
        ("high-speed and", Group(should=w("high-speed", "and"))),
        ("unknown:x", Group(must=w("unknown:x"))),
        ("-(a b) c", Group(must_not=(Group(should=w("a", "b")),), should=w("c"))),
    ],
)
def test_queries_have_their_trees(text: str, root: Group) -> None:
    assert parse(text).root == root


@pytest.mark.parametrize(
    "text", ["(", ")", ")))a", "((((a", '"', '"a', "AND", "OR OR", "NOT", "- + -", "a AND", "site:", "*", "~"]
)
def test_half_queries_are_read_as_far_as_they_go(text: str) -> None:
    assert set(leaves(parse(text).root)) <= {"a", "-", "+", "*", "~", "site:"}


def leaves(node: Node) -> list[str]:
    match node:
        case Words():
            return [node.text]
        case Field():
            return [node.value]
        case Either():
            return [text for one in node.options for text in leaves(one)]
    return [text for one in (*node.must, *node.should, *node.must_not) for text in leaves(one)]


def test_what_is_too_much_is_left_out_and_told() -> None:
    many = parse("word " * 1_000)
    assert len(leaves(many.root)) == MOST_WORDS
    assert many.notes == (f"Only the first {MOST_WORDS} words of the query were looked for.",)
    assert str(f"{MOST_CHARACTERS:,}") in parse("x" * (MOST_CHARACTERS + 1)).notes[0]


def test_deep_parentheses_mean_nothing() -> None:
    deep = parse("(" * 5_000 + "a" + ")" * 5_000)
    assert leaves(deep.root) == ["a"]
    assert "deep" in deep.notes[0]
