"""Judging on a terminal: one page at a time, one key a page."""

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

from rich.console import Console
from rich.text import Text

from gossamer.assess.judge.judge_session import JudgeSession
from gossamer.assess.judge.judge_view import JudgeView, read_view
from gossamer.assess.records import Verdict
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
_LEGEND = "  ".join(f"[b]{key}[/b] {means}" for key, means in _KEYS.items())
_SHORT_LEGEND = " ".join(f"[b]{key}[/b]" for key in _KEYS)
_LEGEND_CHARS = 80
# Head, empty line, title, address, facts and the lines around the text.
_LINES_AROUND = 8
_FEWEST_LINES = 3
_KEY_CHARS = 8
_WOKEN = "woken"
"""Instead of a key: the screen is to be drawn anew."""
_REST_OF_KEY_S = 0.05
_SIGNALS = 64
"""So many are read at once, a byte each: the number of the signal."""


def judge_here(web: Web, session: JudgeSession) -> None:
    """Show one page after the other until all are judged or the judge has had enough."""
    screen = _Screen(web, session)
    try:
        with _quiet_terminal(), _woken() as woken:
            while session.page is not None:
                screen.draw()
                key = _key(woken)
                if key != _WOKEN and not screen.obey(key):
                    break
    finally:
        screen.farewell()


class _Screen:
    """What the judge sees, and what the keys do."""

    def __init__(self, web: Web, session: JudgeSession) -> None:
        self._web = web
        self._session = session
        self._console = Console(highlight=False)
        self._page: int | None = None
        self._shown: JudgeView | None = None
        self._top = 0
        self._as_source = False
        self._note = ""
        self._looked: tuple[object, ...] = ()
        self._lines: list[Text] = []

    def obey(self, key: str) -> bool:
        """Do what a key means; say whether to go on."""
        self._note = ""
        if key in _VERDICT_KEYS:
            self._session.record_verdict(_VERDICT_KEYS[key])
        elif key == "s":
            self._session.skip()
            self._note = "Left for later." if self._session.left > 1 else "Only this one is left."
        elif key in _UNDO:
            self._note = "Back." if self._session.undo() else "There is nothing to take back."
        elif key in _FORTH or key in _BACK:
            self._top += self._room() if key in _FORTH else -self._room()
        elif key == "v":
            self._as_source, self._top = not self._as_source, 0
        elif key in _QUIT:
            return False
        else:
            self._note = "No such key."
        return True

    def draw(self) -> None:
        """Draw the page at hand."""
        page = self._look_up()
        console = self._console
        width = console.width
        lines = self._folded(page)
        self._top = max(0, min(self._top, len(lines) - self._room()))
        seen = lines[self._top : self._top + self._room()]
        console.clear()
        for line in (self._head(), "", *_about(page, width)):
            console.print(line, no_wrap=True, overflow="ellipsis")
        console.rule(style="dim")
        for part in seen or [Text("(its text is not in the archive, or it has none)", style="dim")]:
            console.print(part, no_wrap=True, overflow="crop")
        console.rule(self._place(len(lines)), style="dim", align="right")
        legend = _LEGEND if width >= _LEGEND_CHARS else _SHORT_LEGEND
        console.print(f"{legend}  [dim]{self._note}[/dim]", no_wrap=True, overflow="crop", end="")

    def farewell(self) -> None:
        """Say what was done, and how to go on."""
        session, console = self._session, self._console
        console.clear()
        done = session.pages - session.left
        console.print(
            f"{format_count(done, 'page')} of {session.pages:,} judged by {session.judge}: {_tally(session)}."
        )
        name = f"--name {session.sample.name} --web {self._web.folder}"
        if session.left:
            console.print(
                f"`gossamer assess {name}` goes on with the other {session.left:,}.", soft_wrap=True
            )
        console.print(f"`gossamer assess {name} --results` shows what was found.", soft_wrap=True)

    def _look_up(self) -> JudgeView:
        if self._shown is None or self._page != self._session.page:
            self._page, self._top = self._session.page, 0
            page = self._web.store.page(self._page or 0)
            self._shown = read_view(self._web.folder, page) if page is not None else _gone()
        return self._shown

    def _head(self) -> str:
        session = self._session
        done = session.pages - session.left
        bar = "━" * round(20 * done / session.pages)
        return (
            f"[green]{bar}[/green][dim]{'━' * (20 - len(bar))}[/dim] "
            f"{done:,} of {session.pages:,} judged · {_tally(session)} · {session.judge}"
        )

    def _folded(self, page: JudgeView) -> list[Text]:
        """Return the lines of a page; those of a long one take a while, and whoever reads on has them already."""
        looks_so = (self._page, self._as_source, self._console.width)
        if self._looked != looks_so:
            self._looked, self._lines = (
                looks_so,
                self._lines_of(page.source if self._as_source else page.text),
            )
        return self._lines

    def _lines_of(self, text: str) -> list[Text]:
        """Fold a text into lines of the screen, without anything that a terminal would obey."""
        found: list[Text] = []
        for line in text.splitlines():
            plain = "".join(char if char.isprintable() else " " for char in line).rstrip()
            if plain:
                found.extend(Text(plain).wrap(self._console, self._console.width))
        return found

    def _room(self) -> int:
        return max(_FEWEST_LINES, self._console.height - _LINES_AROUND)

    def _place(self, lines: int) -> str:
        end = min(lines, self._top + self._room())
        return f"[dim]lines {self._top + 1:,} to {end:,} of {lines:,}[/dim]" if lines else ""


def _about(page: JudgeView, width: int) -> Iterator[str]:
    from gossamer.cli.output.tables import clean_text

    yield f"[bold]{clean_text(page.title, width) or '(no title)'}[/bold]"
    yield f"[cyan]{clean_text(page.url, width)}[/cyan]"
    fetched = time.strftime("%Y-%m-%d", time.gmtime(page.fetched_s))
    told = [page.kind, clean_text(page.language), format_count(page.words, "word"), f"fetched {fetched}"]
    yield f"[dim]{' · '.join(filter(None, told))}[/dim]"


def _tally(session: JudgeSession) -> str:
    counts = session.count_verdicts()
    return f"{counts['relevant']:,} relevant, {counts['not']:,} not, {counts['unsure']:,} unsure"


def _gone() -> JudgeView:
    return JudgeView("", "(this page is not in the web any more)", "", "", 0.0, 0, 0, "", "")


# The terminal


@contextmanager
def _quiet_terminal() -> Iterator[None]:
    """Let keys come one by one and unseen; afterwards everything is as it was."""
    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


@contextmanager
def _woken() -> Iterator[int]:
    """Give what has something to read when the window has another size, or somebody comes back to it.

    A signal alone would not do: it may come to another thread than the one that waits for a key.
    """

    def quiet_again(_number: int, _frame: FrameType | None) -> None:
        # For whoever comes back, the shell has set the terminal to what it was.
        tty.setcbreak(sys.stdin, termios.TCSANOW)

    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    # Ctrl-C too: a program that a script started may have been told to ignore it, but here a person sits before it.
    handlers = {
        signal.SIGWINCH: quiet_again,
        signal.SIGCONT: quiet_again,
        signal.SIGINT: signal.default_int_handler,
    }
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    wakeup_before = signal.set_wakeup_fd(waking)
    try:
        yield woken
    finally:
        signal.set_wakeup_fd(wakeup_before)
        for number, earlier in before.items():
            signal.signal(number, earlier)
        os.close(woken)
        os.close(waking)


def _key(woken: int) -> str:
    """Wait for a key; those that send several characters, such as arrows, come whole."""
    fd = sys.stdin.fileno()
    ready = select.select([fd, woken], [], [])[0]
    if woken in ready:
        # Ctrl-C may have come while objects were being tidied up, out of which no exception leads.
        if signal.SIGINT in os.read(woken, _SIGNALS):
            raise KeyboardInterrupt
        return _WOKEN
    first = os.read(fd, 1)
    if first == b"\x1b" and select.select([fd], [], [], _REST_OF_KEY_S)[0]:
        first += os.read(fd, _KEY_CHARS)
    key = first.decode("ascii", "replace")
    return key.lower() if len(key) == 1 else key
