"""Nothing that comes from the web can steer a terminal."""

import json

import pytest

from gossamer.cli.output.terminal_text import clean_lines, clean_text, escape_json, print_error, quote_text

HOSTILE = "a\x1b]0;title\x07b\x1b[2Jc\x9b31md\u202eback\u200bzero\ud800half\x7f\r\nlast"


def test_cleaned_text_is_printable() -> None:
    assert clean_lines("plain Wörter 東京 😀") == "plain Wörter 東京 😀"
    assert clean_lines(HOSTILE).replace("\n", "").isprintable()
    assert clean_lines(HOSTILE).split("\n")[1] == "last"
    assert clean_text(HOSTILE).isprintable()
    assert clean_text("x" * 1_000, 10) == "x" * 9 + "…"
    assert clean_text("[bold]x[/]") == "[bold]x[/]"


@pytest.mark.parametrize(
    ("text", "quoted"), [("a", "'a'"), ("it's", '"it\'s"'), ("[/]\\[x", "'[/]\\[x'"), ("a\x1bb", "'a b'")]
)
def test_quoted_text_stays_as_it_is(text: str, quoted: str) -> None:
    assert quote_text(text) == quoted


def test_escaped_json_means_the_same() -> None:
    record = {"title": HOSTILE.replace("\ud800", "") + "\U000e0001"}
    text = json.dumps(record, ensure_ascii=False)
    assert escape_json(text).isprintable()
    assert json.loads(escape_json(text)) == record
    assert escape_json('{"a":"ü"}\n{"b":1}\n') == '{"a":"ü"}\n{"b":1}\n'


def test_errors_are_printed_on_one_printable_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(HOSTILE)
    assert capsys.readouterr().err.removesuffix("\n").isprintable()
