"""Try patterns in a process of their own before this process or a crawl uses them.

A pattern such as `([^?]+)+[?]$` can take longer than the age of the universe for one URL, and nothing can interrupt a
search in the process that runs it: a server would answer no request. A process of its own is ended by the system.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from gossamer.config import TaskSpec
from gossamer.crawl.patterns import match_patterns
from gossamer.crawl.patterns.hostile_texts import write_hostile_texts
from gossamer.errors import BadInput
from gossamer.net.url.url_pattern import compile_pattern

MOST_CPU_S = 2.0
"""Ordinary patterns take a few microseconds for a URL."""
_MOST_S = 20.0
"""Longer than the CPU time, since machines are busy."""
_URL_OPTIONS, _HOST_OPTIONS = ("include", "exclude"), ("include_hosts", "exclude_hosts")
_SPACES = str.maketrans("\r\n", "  ")


class SlowPattern(BadInput):
    """A pattern that takes too long for the URLs that it is to be used on."""

    def __init__(self, option: str, pattern: str, some: str) -> None:
        self.option = option
        """The option that it was given for."""
        super().__init__(
            f"{pattern[:80]!r} takes too long: {MOST_CPU_S:.3g} seconds were not enough for {some}; "
            "write it without a repetition inside a repetition, such as (a+)+"
        )


def list_patterns(spec: TaskSpec) -> dict[str, tuple[str, ...]]:
    """Return the patterns of a task by option, without options that have none."""
    options = {name: getattr(spec.filters, name) for name in (*_URL_OPTIONS, *_HOST_OPTIONS)}
    return {name: patterns for name, patterns in options.items() if patterns}


def try_patterns(options: Mapping[str, Sequence[str]], urls: Sequence[str], hosts: Iterable[str]) -> None:
    """Raise SlowPattern for the first pattern that takes too long, and BadInput for one that is none."""
    distinct = sorted(set(hosts))
    for names, texts in ((_HOST_OPTIONS, distinct), (("pattern", *_URL_OPTIONS), urls)):
        asked = [(name, one) for name in names for one in options.get(name, ())]
        for name, one in asked:
            compile_pattern(one, name)
        done = _apply([one for _, one in asked], texts) if asked and texts else len(asked)
        if done < len(asked):
            some = "this URL" if len(texts) == 1 else f"the {len(texts):,} URLs that it was tried on"
            raise SlowPattern(*asked[done], some)


def refuse_slow_patterns(spec: TaskSpec) -> None:
    """Raise SlowPattern for the first pattern of a task that could stop a crawl at an unlucky URL.

    Only patterns whose form allows that are tried, in some 30 milliseconds for each; others cost some microseconds.
    """
    for option, patterns in list_patterns(spec).items():
        for pattern in patterns:
            if _is_slow(pattern, MOST_CPU_S):
                raise SlowPattern(option, pattern, "an unlucky URL")


@lru_cache(maxsize=256)
def _is_slow(pattern: str, _: float) -> bool:
    texts = write_hostile_texts(pattern)
    return bool(texts) and not _apply([pattern], texts)


def _apply(patterns: Sequence[str], texts: Sequence[str]) -> int:
    """Return how many patterns were applied to all texts in time."""
    asked = json.dumps([MOST_CPU_S, list(patterns)])
    given = "\n".join((asked, *(text.translate(_SPACES) for text in texts)))
    program = [sys.executable, "-I", "-S", match_patterns.__file__]
    try:
        reply = subprocess.run(  # noqa: S603 - our own program
            program,
            input=given.encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=_MOST_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").count(b"\n")
    return reply.stdout.count(b"\n")
