"""Find the hot stories of a day of news, and measure how well planted stories are found.

    python bench/hot_topics.py [STORIES.jsonl.gz] [--day YYYY-MM-DD] [--json] [--way hot|bursts|ratios] [--judge N] [--plant]
    python bench/hot_topics.py [STORIES.jsonl.gz] --sheet FILE.csv --days N
    python bench/hot_topics.py --score [FILE.csv] [--sheets 2,3]

STORIES has one JSON object a line with id, date, title and text. Without a day, the last one counts. Only stories up to
that day are read; a day without stories has none that are hot, nor has the first day, with which nothing can be
compared. `--way` finds the hot words by Kleinberg's bursts or by plain ratios instead; the grouping stays
the same. `--judge N` judges the ten hottest stories of the last N days with enough text by their headlines, for the three ways:
a story is right if three of its first five headlines share a word that is rare in the headlines of that day. A reader
judges better, but not the same story twice alike. `--plant` measures stories that are planted into texts of random words.

`--sheet FILE --days N` writes the ten hottest stories of N days, found in each way and shuffled, for a reader to judge
blind: write right or wrong into the column verdict, with the texts of the ids at hand, and open the key only then. The
days are evenly spaced among those with enough text that hot_topics_judged.csv does not have. `--score` prints how many
stories of each way are right, in a judged sheet or, without a file, in hot_topics_judged.csv.
"""

import argparse
import gzip
import itertools
import json
import math
import random
import re
import statistics
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from extraction import DATA
from gossamer.errors import BadInput
from gossamer.text.hot import (
    History,
    HotTerm,
    PeriodCounts,
    PeriodTexts,
    Story,
    TextMemory,
    group_stories,
    read_period,
)
from gossamer.text.hot.hot_terms import JudgeTerm
from hot_topics_sheet import JUDGED, choose_days, merge_ways, read_judged, score_sheets, write_sheet

STORIES = DATA.parent / "news" / "stories.jsonl.gz"
# A line that is not indented continues the paragraph.
_WRAPPED = re.compile(r"\n(?! )")
_MIN_TEXTS_OF_A_DAY = 100
_ABOVE_ALL_BARS = math.log(100)
_HOTTEST = 10


class NewsStory(msgspec.Struct, frozen=True):
    """One dated story."""

    id: int | str
    date: str
    text: str
    title: str = ""
    topics: tuple[str, ...] = ()
    split: str = ""

    @property
    def day(self) -> str:
        """The day as YYYY-MM-DD."""
        return self.date[:10]

    def join_text(self) -> str:
        """Return title and text, one paragraph a line."""
        return f"{self.title}\n{_WRAPPED.sub(' ', self.text)}"


def read_stories(path: Path) -> list[NewsStory]:
    """Read a file of stories, packed or not, in the order of their dates."""
    try:
        content = path.read_bytes()
        lines = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).splitlines()
        stories = [msgspec.json.decode(line, type=NewsStory) for line in lines if line.strip()]
        for day in {story.day for story in stories}:
            date.fromisoformat(day)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or 'it is a damaged archive'}") from None
    except (ValueError, EOFError, zlib.error, msgspec.MsgspecError):
        raise BadInput(
            f"{path} is not a file of stories: each line must be a JSON object with id, date, title and text"
        ) from None
    if not stories:
        raise BadInput(f"{path} contains no dated text")
    return sorted(stories, key=lambda story: story.date)


class Days(NamedTuple):
    """The frequency lists of all days up to the last one, which has its texts."""

    past: list[PeriodCounts]
    now: PeriodTexts


def read_days(stories: Sequence[NewsStory]) -> Iterator[Days]:
    """Read the days in order; each time yield the lists so far."""
    memory = TextMemory()
    past: list[PeriodCounts] = []
    for day, told in itertools.groupby(stories, key=lambda story: story.day):
        number = date.fromisoformat(day).toordinal()
        now = read_period(number, ((str(story.id), story.join_text()) for story in told), memory)
        yield Days(list(past), now)
        past.append(now.counts)


def read_until(stories: Sequence[NewsStory], day: str) -> Days:
    """Read the days up to one day, and nothing of later ones; a day without stories has no texts."""
    try:
        wanted = date.fromisoformat(day).isoformat()
    except ValueError:
        raise BadInput(f"{day} is not a day: write it as 1987-03-11") from None
    known = [story for story in stories if story.day <= wanted]
    if not known:
        raise BadInput(
            f"there is no story up to {day}; the stories are of {stories[0].day} to {stories[-1].day}"
        )
    *_, last = read_days(known)
    if known[-1].day == wanted:
        return last
    number = date.fromisoformat(wanted).toordinal()
    return Days([*last.past, last.now.counts], PeriodTexts(PeriodCounts(number, 0, {}), {}))


def find_by_ratio(past: Sequence[PeriodCounts], now: PeriodCounts) -> JudgeTerm:
    """Judge words by plain ratios: the share of texts against the mean share so far, with half a text added."""
    texts_before = sum(one.texts for one in past)
    share = now.texts / max(texts_before, 1)
    before = Counter[str]()
    for one in past:
        before.update(one.counts)

    def judge_term(term: str, texts: int) -> HotTerm:
        expected = (before[term] + 0.5) * share
        return HotTerm(term, texts, expected, texts / expected)

    return judge_term


def find_bursts(past: Sequence[PeriodCounts], now: PeriodCounts, rise: float = 2.0) -> JudgeTerm:
    """Judge words by Kleinberg's bursts: two states for each word, the higher with twice the rate.

    The surprise of a word is the weight of the burst that it is in: the cost that the higher state saves since the burst
    began. Source: Kleinberg 2002, Bursty and hierarchical structure in streams, section 4 (batched arrivals).
    """
    sizes = [one.texts for one in past] + [now.texts]
    cost_of_change = math.log(len(sizes))

    def judge_term(term: str, texts: int) -> HotTerm:
        counts = [one.counts.get(term, 0) for one in past] + [texts]
        low = (sum(counts) + 0.5) / (sum(sizes) + 1)
        high = min(rise * low, 0.999)
        gains = [
            count * math.log(high / low) + (size - count) * math.log((1 - high) / (1 - low))
            for count, size in zip(counts, sizes, strict=True)
        ]
        weight = _weigh_last_burst(gains, cost_of_change)
        # Every word in a burst is hot, and every burst a story: the bars for probabilities do not apply.
        return HotTerm(term, texts, low * now.texts, weight + _ABOVE_ALL_BARS if weight else 0.0, weight)

    return judge_term


def _weigh_last_burst(gains: Sequence[float], cost_of_change: float) -> float:
    """Return what the higher state saves in the burst that the last period belongs to; 0 outside of bursts."""
    low, high = 0.0, -math.inf
    since: list[bool] = []  # whether the best path to the higher state comes from the lower one
    for gain in gains:
        since.append(low - cost_of_change > high)
        low, high = max(low, high), max(low - cost_of_change, high) + gain
    if high <= low:
        return 0.0
    start = max(at for at, starts in enumerate(since) if starts)
    return sum(gains[start:])


WAYS: dict[str, Callable[[Sequence[PeriodCounts], PeriodCounts], JudgeTerm]] = {
    "hot": lambda past, now: History(past, now).judge_term,
    "bursts": find_bursts,
    "ratios": find_by_ratio,
}


def find_hottest(days: Days, way: str = "hot") -> list[Story]:
    """Return the stories of the last day, found in one of three ways."""
    if not days.past or not days.now.counts.texts:
        return []
    return group_stories(days.past, days.now, WAYS[way](days.past, days.now.counts))


def judge_by_headlines(story: Story, headlines: dict[str, set[str]], rare: set[str]) -> bool:
    """Say whether three of the first five headlines of a story share a word that is rare on that day."""
    first = [headlines[id_] & rare for id_ in story.ids[:5]]
    shared = Counter(word for words in first for word in words)
    return max(shared.values(), default=0) >= 3


def compare_ways(stories: Sequence[NewsStory], days: int) -> dict[str, dict[str, float]]:
    """Judge the ten hottest stories of the last days with enough text, found in each way."""
    headlines = {str(one.id): set(re.findall(r"[a-z]{3,}", one.title.lower())) for one in stories}
    by_day = defaultdict(list)
    for story in stories:
        by_day[date.fromisoformat(story.day).toordinal()].append(headlines[str(story.id)])
    large = [day for day, titles in sorted(by_day.items()) if len(titles) >= _MIN_TEXTS_OF_A_DAY][-days:]
    right: dict[str, list[bool]] = {way: [] for way in WAYS}
    for each in read_days(stories):
        day = each.now.counts.period
        if day not in large or not each.past:
            continue
        of_day = Counter(word for words in by_day[day] for word in words)
        rare = {word for word, texts in of_day.items() if texts <= max(3, 0.03 * len(by_day[day]))}
        for way, judged in right.items():
            found = find_hottest(each, way)[:_HOTTEST]
            judged += [judge_by_headlines(story, headlines, rare) for story in found]
    return {
        way: {"stories_a_day": len(judged) / max(len(large), 1), "precision": statistics.mean(judged or [0])}
        for way, judged in right.items()
    }


_SEED = 3


def make_sheet(stories: Sequence[NewsStory], number: int, path: Path) -> Path:
    """Write a sheet of so many days that no sheet has; return the path of its key."""
    texts = Counter(story.day for story in stories)
    large = [day for day, of_day in texts.items() if of_day >= _MIN_TEXTS_OF_A_DAY and day != stories[0].day]
    chosen = choose_days(large, {row["day"] for row in read_judged(JUDGED)}, number)
    chance = random.Random(_SEED)
    rows = []
    for each in read_days(stories):
        day = date.fromordinal(each.now.counts.period).isoformat()
        if day in chosen:
            rows += merge_ways(day, {way: find_hottest(each, way) for way in WAYS}, chance)
    return write_sheet(path, rows, {str(story.id): story.title for story in stories})


_VOCABULARY = 6_000
_TEXTS_A_DAY = 400
_PLANTED_DAYS = 21
_BASE_RATE = 0.015
_RISE = 3
_STORY_WORDS = 6


def measure_planted(seed: int = 1, stories: int = 40) -> dict[str, float]:
    """Plant stories into texts of random words, at three times their rate on the last day.

    Each story has six words; a text about it has each of them with a probability of .7. A quarter of the stories rise; the
    others keep their rate. Words of the vocabulary are as frequent as Zipf's law says.
    """
    chance = random.Random(seed)
    vocabulary = [_spell(number) for number in range(_VOCABULARY + stories * _STORY_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_VOCABULARY)]
    told = [vocabulary[_VOCABULARY + at :: stories][:_STORY_WORDS] for at in range(stories)]
    hot = set(range(stories // 4))
    memory, past = TextMemory(), list[PeriodCounts]()
    for day in range(_PLANTED_DAYS):
        texts = [chance.choices(vocabulary[:_VOCABULARY], weights, k=80) for _ in range(_TEXTS_A_DAY)]
        for at, own in enumerate(told):
            usual = sum(chance.random() < _BASE_RATE for _ in texts)
            risen = at in hot and day == _PLANTED_DAYS - 1
            for words in chance.sample(texts, round(_RISE * _BASE_RATE * _TEXTS_A_DAY) if risen else usual):
                words += [word for word in own if chance.random() < 0.7]
        for words in texts:
            chance.shuffle(words)
        now = read_period(day, ((str(at), " ".join(words)) for at, words in enumerate(texts)), memory)
        past.append(now.counts)
    found = [set(story.words) for story in find_hottest(Days(past[:-1], now))]
    planted = {word for at in hot for word in told[at]}
    return {
        "found": statistics.mean(any(len(words & set(told[at])) > 1 for words in found) for at in hot),
        "false_in_1000": 1_000 * sum(len(words - planted) for words in found) / len(now.counts.counts),
    }


def _spell(number: int) -> str:
    """Return a word of letters for a number."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return "".join(letters[number // 26**place % 26] for place in range(3)) + "o"


def measure() -> dict[str, float]:
    """Measure planted stories, and the news if it is there."""
    runs = [measure_planted(seed) for seed in range(3)]
    figures = {
        "hot_topics.planted_found": statistics.mean(run["found"] for run in runs),
        "hot_topics.planted_false_in_1000": statistics.mean(run["false_in_1000"] for run in runs),
    }
    if not STORIES.is_file():
        print(f"there is no news at {STORIES}: hot stories of news are not measured", file=sys.stderr)
        return figures
    ways = compare_ways(read_stories(STORIES), 10)
    other = max(ways["bursts"]["precision"], ways["ratios"]["precision"])
    precision = ways["hot"]["precision"]
    return figures | {"hot_topics.precision": precision, "hot_topics.precision_vs_others": precision - other}


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The hot stories of a day of news.")
    parser.add_argument("stories", type=Path, nargs="?", default=STORIES, help="JSON lines, packed or not")
    parser.add_argument("--day", help="as YYYY-MM-DD; without it, the last one")
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--way", choices=WAYS, default="hot", help="to find hot words")
    parser.add_argument("--judge", type=int, metavar="N", help="the hottest stories of N days, by headlines")
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write a sheet for a reader to judge blind"
    )
    parser.add_argument("--days", type=int, default=5, metavar="N", help="of the sheet; without it, 5")
    parser.add_argument(
        "--score", type=Path, nargs="?", const=JUDGED, metavar="FILE", help="score a judged sheet"
    )
    parser.add_argument("--sheets", metavar="2,3", help="score only these")
    parser.add_argument("--plant", action="store_true", help="measure planted stories; needs no file")
    return parser.parse_args()


def _print_stories(found: Sequence[Story], stories: Sequence[NewsStory]) -> None:
    titles = {str(story.id): story.title for story in stories}
    for story in found:
        curve = " ".join(f"{share:g}" for share in story.curve[-7:])
        print(f"{story.score:5.1f}  {', '.join(story.words)}  ({len(story.ids)} texts; in 1,000: {curve})")
        for id_ in story.ids[:4]:
            print(f"         {titles[id_]}")


def _answer(arguments: argparse.Namespace) -> None:
    indent = None if arguments.json else 2
    if arguments.plant:
        print(json.dumps(measure_planted(), indent=indent))
        return
    if arguments.score:
        wanted = arguments.sheets.split(",") if arguments.sheets else ()
        print(json.dumps(score_sheets(arguments.score, wanted), indent=indent))
        return
    stories = read_stories(arguments.stories)
    if arguments.sheet:
        print(f"the key of {arguments.sheet} is {make_sheet(stories, arguments.days, arguments.sheet)}")
        return
    if arguments.judge:
        print(json.dumps(compare_ways(stories, arguments.judge), indent=indent))
        return
    found = find_hottest(read_until(stories, arguments.day or stories[-1].day), arguments.way)
    if not arguments.json:
        _print_stories(found, stories)
        return
    ids = {str(story.id): story.id for story in stories}
    listed: list[dict[str, Any]] = [
        {
            "words": story.words,
            "score": story.score,
            "ids": [ids[id_] for id_ in story.ids],
            "curve": story.curve,
        }
        for story in found
    ]
    print(json.dumps({"stories": listed}))


def main() -> int:
    """Print the hot stories of a day, or measure them."""
    try:
        _answer(_parse_arguments())
    except BadInput as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
