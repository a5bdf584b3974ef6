import pytest

from gossamer.search.query.parse_query import (
    FIELDS,
    MOST_CHARACTERS,
    MOST_WORDS,
    BooleanGroup,
    Either,
    Field,
    Node,
    Words,
    parse,
)


def w(*texts: str) -> tuple[Words, ...]:
    return tuple(Words(text) for text in texts)


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("", BooleanGroup()),
        ("a b", BooleanGroup(should=w("a", "b"))),
        ("a -b", BooleanGroup(should=w("a"), must_not=w("b"))),
        ("a NOT b", BooleanGroup(should=w("a"), must_not=w("b"))),
        ("a +b", BooleanGroup(should=w("a"), must=w("b"))),
        ("a AND b c", BooleanGroup(must=w("a", "b"), should=w("c"))),
        ("a OR b", BooleanGroup(must=(Either(w("a", "b")),))),
        ("(a OR b) AND c", BooleanGroup(must=(Either(w("a", "b")), *w("c")))),
        ('"two words" x', BooleanGroup(should=(Words("two words", "phrase"), *w("x")))),
        (
            "comput* color~ ab~1",
            BooleanGroup(should=(Words("comput", "prefix"), Words("color", "fuzzy"), *w("ab~1"))),
        ),
        (
            "title:x Site:a.example b",
            BooleanGroup(must=(Field("title", "x"), Field("site", "a.example")), should=w("b")),
        ),
        ('-title:"a b"', BooleanGroup(must_not=(Field("title", "a b"),))),
        ("high-speed and", BooleanGroup(should=w("high-speed", "and"))),
        ("unknown:x", BooleanGroup(must=w("unknown:x"))),
        ("-(a b) c", BooleanGroup(must_not=(BooleanGroup(should=w("a", "b")),), should=w("c"))),
    ],
)
def test_queries_are_parsed_into_trees(text: str, root: BooleanGroup) -> None:
    assert parse(text).root == root


@pytest.mark.parametrize(
    "text", ["(", ")", ")))a", "((((a", '"', '"a', "AND", "OR OR", "NOT", "- + -", "a AND", "site:", "*", "~"]
)
def test_incomplete_queries_are_parsed(text: str) -> None:
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


def test_long_queries_are_cut_off_with_a_note() -> None:
    many = parse("word " * 1_000)
    assert len(leaves(many.root)) == MOST_WORDS
    assert many.notes == (f"Only the first {MOST_WORDS} words of the query were searched.",)
    assert str(f"{MOST_CHARACTERS:,}") in parse("x" * (MOST_CHARACTERS + 1)).notes[0]


def test_deeply_nested_parentheses_are_ignored() -> None:
    deep = parse("(" * 5_000 + "a" + ")" * 5_000)
    assert leaves(deep.root) == ["a"]
    assert "deep" in deep.notes[0]


@pytest.mark.parametrize("piece", ["a (", "(a OR ", "a OR (", "NOT (", "-(a ", "+(", "site:x ("])
def test_endless_nesting_is_parsed_and_noted(piece: str) -> None:
    deep = parse(piece * 2_000)
    assert any("deep" in note for note in deep.notes)
    assert set(leaves(deep.root)) <= {"a", "x"}


def test_what_stands_in_ignored_parentheses_is_searched() -> None:
    deep = parse("(x " * 30 + "y" + " z)" * 30 + " after")
    assert leaves(deep.root).count("x") == leaves(deep.root).count("z") == 30
    assert isinstance(deep.root, BooleanGroup)
    assert Words("after") in deep.root.should, "the parentheses that were ignored close nothing"


NAMES = ", ".join(f"{field}:" for field in FIELDS)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("author:haydn", f"There is no field `author:`; fields are {NAMES}."),
        ('author:"joseph haydn"', f"There is no field `author:`; fields are {NAMES}."),
        ("x -Lang:de", f"There is no field `lang:`; did you mean `language:`? Fields are {NAMES}."),
        ("titel:x", f"There is no field `titel:`; did you mean `title:`? Fields are {NAMES}."),
    ],
)
def test_an_unknown_field_is_said(text: str, note: str) -> None:
    assert parse(text).notes == (note,)


@pytest.mark.parametrize(
    "text",
    [
        "http://a.example/",
        "std::vector",
        "at 12:30",
        "note: this",
        "c:\\temp",
        "title:x",
        "title:",
        "例:文",
        ":)",
    ],
)
def test_words_with_a_colon_are_not_taken_for_fields(text: str) -> None:
    assert parse(text).notes == ()


def test_the_words_of_an_unknown_field_are_searched_all_the_same() -> None:
    assert parse("re:zero").root == BooleanGroup(must=w("re:zero"))
    assert len(parse(" ".join(f"{letter}x:y" for letter in "abcdefgh")).notes) == 3
