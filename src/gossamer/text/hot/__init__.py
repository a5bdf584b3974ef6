"""Which words and stories are hot? Words wander upwards in the frequency lists of days or weeks.

from gossamer.text.hot import TextMemory, find_stories, read_period
memory = TextMemory()
lists = [read_period(day, texts, memory) for day, texts in …]    # keep `.counts` of past periods; forget their texts
find_stories([one.counts for one in lists[:-1]], lists[-1])
"""

from gossamer.text.hot.find_stories import Story, find_stories, group_stories
from gossamer.text.hot.hot_terms import History, HotTerm, find_hot_terms
from gossamer.text.hot.period_counts import PeriodCounts, PeriodTexts, read_period
from gossamer.text.hot.text_memory import TextMemory

__all__ = [
    "History",
    "HotTerm",
    "PeriodCounts",
    "PeriodTexts",
    "Story",
    "TextMemory",
    "find_hot_terms",
    "find_stories",
    "group_stories",
    "read_period",
]
