"""Count the words of a corpus: in memory, and summed in a temporary file when there are too many."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_MOST_IN_MEMORY = 500_000
_ADD = (
    "insert into word values (?, ?, ?) "
    "on conflict (language, word) do update set times = times + excluded.times"
)


class WordCount(NamedTuple):
    """A word of a language, and how often it occurs."""

    language: str
    word: str
    times: int
    share: float
    """Its share of all words of the language."""


class WordCounts:
    """Counts words by language."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("pragma synchronous = off")
        self._file.execute("pragma journal_mode = off")
        self._file.execute(
            "create table word (language text, word text, times integer, primary key (language, word)) without rowid"
        )
        self._waiting: Counter[tuple[str, str]] = Counter()

    def add(self, language: str, words: Iterable[str]) -> None:
        """Count some words of a language."""
        self._waiting.update((language, word) for word in words)
        if len(self._waiting) >= _MOST_IN_MEMORY:
            self._write()

    def _write(self) -> None:
        self._file.execute("begin")
        self._file.executemany(_ADD, ((*key, times) for key, times in sorted(self._waiting.items())))
        self._file.execute("commit")
        self._waiting.clear()

    def rank_words(self) -> Iterator[WordCount]:
        """Yield all words by language, most frequent first."""
        self._write()
        totals = dict(self._file.execute("select language, sum(times) from word group by language"))
        rows = self._file.execute(
            "select language, word, times from word order by language, times desc, word"
        )
        for language, word, times in rows:
            yield WordCount(language, word, times, times / totals[language])

    def close(self) -> None:
        """Close the file."""
        self._file.close()
