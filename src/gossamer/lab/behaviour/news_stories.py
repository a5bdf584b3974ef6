"""Stories that rise and fall: which day a page is dated, and which stories it tells. All from hashes."""

from datetime import UTC, datetime, timedelta
from functools import cached_property

import msgspec

from gossamer.lab.behaviour.page_changes import DAY_S, EPOCH_S
from gossamer.lab.options import Stories
from gossamer.lab.seeded_random import make_key, mix, salt, unit

_DAY, _HOUR, _TELLS, _WORD = salt("day of a page"), salt("hour"), salt("tells a story"), salt("words told")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_TOLD_SHARE = 0.7
"""A page that tells a story has each of its words with this probability."""


class PlantedStory(msgspec.Struct, frozen=True):
    """A story of the world: its words, and the day on which it rises."""

    words: tuple[str, ...]
    """In lower case; the last is a name of two words."""
    day: str
    """As YYYY-MM-DD; "" for a story that never rises."""


class NewsCalendar:
    """The dates of pages, and the stories that they tell."""

    def __init__(self, seed: int, stories: Stories) -> None:
        self._seed = seed
        self._options = stories

    @cached_property
    def stories(self) -> tuple[PlantedStory, ...]:
        """All stories, those that rise first."""
        return tuple(map(self._plant, range(self._options.count)))

    def find_date(self, key: int) -> str:
        """Return the time at which a page was published, as ISO 8601; "" in a world without stories."""
        if not self._options.count:
            return ""
        hour = mix(key, _HOUR) % 24
        return f"{self._format(self._find_day(key))}T{hour:02}:00:00Z"

    def choose_words(self, key: int) -> tuple[tuple[str, ...], ...]:
        """Return the words of each story that a page tells."""
        return tuple(
            tuple(
                word
                for place, word in enumerate(story.words)
                if unit(mix(key, number), _WORD + place) < _TOLD_SHARE
            )
            for number, story in enumerate(self.stories)
            if unit(mix(key, number), _TELLS) < self._find_rate(number, self._find_day(key))
        )

    def _find_day(self, key: int) -> int:
        return mix(key, _DAY) % self._options.days

    def _find_rate(self, number: int, day: int) -> float:
        risen = number < self._options.rising and day == self._find_peak(number)
        return self._options.rate * (self._options.rise if risen else 1.0)

    def _find_peak(self, number: int) -> int:
        """Return the day on which a story rises: the last ones, so that there are days before to compare with."""
        last = self._options.days - 1
        return last - number % max(1, self._options.days // 3)

    def _format(self, day: int) -> str:
        first = datetime.fromtimestamp(EPOCH_S - self._options.days * DAY_S, UTC)
        return (first + timedelta(days=day)).date().isoformat()

    def _plant(self, number: int) -> PlantedStory:
        words = [self._spell(number, place) for place in range(self._options.words)]
        name = f"{self._spell(number, 1000).capitalize()} {self._spell(number, 1001).capitalize()}"
        risen = number < self._options.rising
        return PlantedStory((*words, name), self._format(self._find_peak(number)) if risen else "")

    def _spell(self, number: int, place: int) -> str:
        """Return a word that no language has, of four syllables."""
        bits = make_key(self._seed, f"story {number} word {place}")
        letters = []
        for _ in range(4):
            bits, consonant = divmod(bits, len(_CONSONANTS))
            bits, vowel = divmod(bits, len(_VOWELS))
            letters.append(_CONSONANTS[consonant] + _VOWELS[vowel])
        return "".join(letters)
