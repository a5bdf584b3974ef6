"""Judge pages on a terminal: one page at a time, one key a page."""

import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rich.text import Text

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import JudgeView, read_view
from gossamer.assess.judgements import get_question
from gossamer.assess.records import Verdict
from gossamer.cli.output.tables import PlainConsole, style_line
from gossamer.cli.output.terminal_text import clean_lines, clean_text
from gossamer.cli.output.wording import format_count
from gossamer.web import Web

_VERDICT_KEYS: dict[str, Verdict] = {"r": "relevant", "n": "not", "u": "unsure"}
_BACK, _FORTH = {"\x1b[A", "\x1b[5~", "b", "k"}, {"\x1b[B", "\x1b[6~", " ", "j"}
_UNDO, _QUIT = {"z", "\x7f"}, {"q", "\x04", ""}
_KEYS = {
    "r": "relevant",
    "n": "not",
    "u": "unsure",
    "s": "skip",
    "z": "undo",
    "space": "more",
    "v": "source",
    "q": "stop",
}
_LEGEND_CHARS = 80
# Head, question, title, URL, facts and the lines around the text.
_LINES_AROUND = 8
_FEWEST_LINES = 3
_KEY_CHARS = 8
_REDRAW = "redraw"
"""Returned instead of a key when the screen has to be redrawn."""
_REST_OF_KEY_S = 0.05
_SIGNALS = 64
"""Most signals read at once; each is one byte, its number."""


def judge_on_terminal(web: Web, session: JudgeSession) -> None:
    """Show one page after another until all are judged or the judge stops."""
    screen = _Screen(web, session)
    try:
        with _set_unbuffered(), _watch_redraws() as redraws:
            while session.page is not None:
                screen.draw()
                key = _read_key(redraws)
                if key != _REDRAW and not screen.handle_key(key):
                    break
    finally:
        screen.print_summary()


class _Screen:
    """The screen of the judge and the actions of the keys."""

    def __init__(self, web: Web, session: JudgeSession) -> None:
        self._web = web
        self._session = session
        self._console = PlainConsole(highlight=False)
        self._page: int | None = None
        self._shown: JudgeView | None = None
        self._top = 0
        self._as_source = False
        self._note = ""
        self._lines_key: tuple[object, ...] = ()
        self._lines: list[Text] = []

    def handle_key(self, key: str) -> bool:
        """Carry out a key; return False to stop."""
        self._note = ""
        if key in _VERDICT_KEYS:
            self._session.record_verdict(_VERDICT_KEYS[key])
        elif key == "s":
            self._session.skip()
            self._note = "Left for later." if self._session.left > 1 else "Only this one is left."
        elif key in _UNDO:
            self._note = "Undone." if self._session.undo() else "Nothing to undo."
        elif key in _FORTH or key in _BACK:
            self._top += self._count_rows() if key in _FORTH else -self._count_rows()
        elif key == "v":
            self._as_source, self._top = not self._as_source, 0
        elif key in _QUIT:
            return False
        else:
            self._note = "Unknown key."
        return True

    def draw(self) -> None:
        """Draw the current page."""
        page = self._look_up()
        console = self._console
        width = console.width
        lines = self._wrap_page(page)
        self._top = max(0, min(self._top, len(lines) - self._count_rows()))
        seen = lines[self._top : self._top + self._count_rows()]
        console.clear()
        question = style_line((clean_text(get_question(self._session.sample), width), "bold"))
        for line in (self._format_head(), question, *_describe_page(page, width)):
            console.print(line, no_wrap=True, overflow="ellipsis")
        console.rule(style="dim")
        for part in seen or [Text("(no text, or not in the archive)", style="dim")]:
            console.print(part, no_wrap=True, overflow="crop")
        console.rule(self._format_position(len(lines)), style="dim", align="right")
        legend = _make_legend(width >= _LEGEND_CHARS)
        console.print(
            legend, style_line(("  " + self._note, "dim")), sep="", no_wrap=True, overflow="crop", end=""
        )

    def print_summary(self) -> None:
        """Print what was judged and how to continue."""
        session, console = self._session, self._console
        console.clear()
        done = session.pages - session.left
        console.print(
            f"{format_count(done, 'page')} of {session.pages:,} judged by {session.judge}: {_format_counts(session)}."
        )
        name = f"--name {session.sample.name} --web {self._web.folder}"
        if session.left:
            console.print(
                f"`gossamer assess {name}` continues with the other {session.left:,}.", soft_wrap=True
            )
        console.print(f"`gossamer assess {name} --results` shows the results.", soft_wrap=True)

    def _look_up(self) -> JudgeView:
        if self._shown is None or self._page != self._session.page:
            self._page, self._top = self._session.page, 0
            page = self._web.store.page(self._page or 0)
            self._shown = read_view(self._web.folder, page) if page is not None else _make_missing_page()
        return self._shown

    def _format_head(self) -> Text:
        session = self._session
        done = session.pages - session.left
        bar = "━" * round(20 * done / session.pages)
        return style_line(
            (bar, "green"),
            ("━" * (20 - len(bar)), "dim"),
            f" {done:,} of {session.pages:,} judged · {_format_counts(session)} · {session.judge}",
        )

    def _wrap_page(self, page: JudgeView) -> list[Text]:
        """Return the lines of a page; they are kept while you scroll, since wrapping a long page takes a while."""
        key = (self._page, self._as_source, self._console.width)
        if self._lines_key != key:
            self._lines_key, self._lines = (
                key,
                self._wrap_text(page.source if self._as_source else page.text),
            )
        return self._lines

    def _wrap_text(self, text: str) -> list[Text]:
        """Wrap a text into lines of the screen, without control characters."""
        found: list[Text] = []
        for line in text.splitlines():
            plain = clean_lines(line).rstrip()
            if plain:
                found.extend(Text(plain).wrap(self._console, self._console.width))
        return found

    def _count_rows(self) -> int:
        return max(_FEWEST_LINES, self._console.height - _LINES_AROUND)

    def _format_position(self, lines: int) -> Text:
        end = min(lines, self._top + self._count_rows())
        return style_line((f"lines {self._top + 1:,} to {end:,} of {lines:,}" if lines else "", "dim"))


def _make_legend(with_meanings: bool) -> Text:
    """Return the keys, with what each does if there is room."""
    if not with_meanings:
        return Text(" ").join(style_line((key, "bold")) for key in _KEYS)
    return Text("  ").join(style_line((key, "bold"), f" {means}") for key, means in _KEYS.items())


def _describe_page(page: JudgeView, width: int) -> Iterator[Text]:
    yield style_line((clean_text(page.title, width) or "(no title)", "bold"))
    yield style_line((clean_text(page.url, width), "cyan"))
    fetched = time.strftime("%Y-%m-%d", time.gmtime(page.fetched_s))
    facts = [page.kind, clean_text(page.language), format_count(page.words, "word"), f"fetched {fetched}"]
    yield style_line((" · ".join(filter(None, facts)), "dim"))


def _format_counts(session: JudgeSession) -> str:
    counts = session.count_verdicts()
    return f"{counts['relevant']:,} relevant, {counts['not']:,} not, {counts['unsure']:,} unsure"


def _make_missing_page() -> JudgeView:
    return JudgeView("", "(this page is no longer in the web)", "", "", 0.0, 0, 0, "", "")


# The terminal


@contextmanager
def _set_unbuffered() -> Iterator[None]:
    """Read keys one by one without echo; restore the terminal afterwards."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


@contextmanager
def _watch_redraws() -> Iterator[int]:
    """Yield a file descriptor that becomes readable when the window is resized or the program is resumed.

    A signal alone is not enough: it may arrive in another thread than the one that waits for a key.
    """

    def set_unbuffered_again(_number: int, _frame: FrameType | None) -> None:
        # When the program was suspended, the shell restored the normal mode of the terminal.
        tty.setcbreak(sys.stdin, termios.TCSANOW)

    redraws, signals = os.pipe()
    os.set_blocking(signals, False)
    # Ctrl-C too: a program that a script starts may inherit a setting that ignores it.
    handlers = {
        signal.SIGWINCH: set_unbuffered_again,
        signal.SIGCONT: set_unbuffered_again,
        signal.SIGINT: signal.default_int_handler,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    wakeup_before = signal.set_wakeup_fd(signals)
    try:
        yield redraws
    finally:
        signal.set_wakeup_fd(wakeup_before)
        for number, earlier in before.items():
            signal.signal(number, earlier)
        os.close(redraws)
        os.close(signals)


def _read_key(redraws: int) -> str:
    """Wait for a key and return all its characters; keys such as arrows send several."""
    fd = sys.stdin.fileno()
    ready = select.select([fd, redraws], [], [])[0]
    if redraws in ready:
        # Ctrl-C may arrive in a finalizer, where Python discards the exception.
        if signal.SIGINT in os.read(redraws, _SIGNALS):
            raise KeyboardInterrupt
        return _REDRAW
    first = os.read(fd, 1)
    if first == b"\x1b" and select.select([fd], [], [], _REST_OF_KEY_S)[0]:
        first += os.read(fd, _KEY_CHARS)
    key = first.decode("ascii", "replace")
    return key.lower() if len(key) == 1 else key
