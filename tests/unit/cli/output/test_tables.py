"""Lines and tables show strings as they are: no markup, no links, no control sequences."""

import io

import pytest

from gossamer.cli.output.tables import PlainConsole, console, print_line, print_table, style_line

HOSTILE = "[/] [link=http://evil.example]x[/link] [bold]y :smile: \x1b]8;;http://evil.example\x07z \x9b2J"
SHOWN = "[/] [link=http://evil.example]x[/link] [bold]y :smile:  ]8;;http://evil.example z  2J"


def draw_on_terminal(*parts: object) -> str:
    file = io.StringIO()
    PlainConsole(file=file, force_terminal=True, width=200, highlight=False).print(*parts)
    return file.getvalue()


def test_strings_are_not_markup() -> None:
    assert draw_on_terminal(HOSTILE) == SHOWN + "\n"
    assert draw_on_terminal(style_line(HOSTILE)) == SHOWN + "\n"


def test_styles_stand_beside_texts() -> None:
    drawn = draw_on_terminal(style_line("1. ", (HOSTILE, "bold")))
    assert drawn == f"1. \x1b[1m{SHOWN}\x1b[0m\n"


def test_lines_and_tables_print_what_they_are_given(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "width", 400)
    print_line("a ", (HOSTILE, "bold"))
    print_table(HOSTILE, ["[red]name", "n"], [(HOSTILE, 1_000)])
    shown = capsys.readouterr().out
    assert shown.count(SHOWN) == 3
    assert "[red]name" in shown
    assert "1,000" in shown
    assert "\x1b" not in shown
    assert "\x9b" not in shown
