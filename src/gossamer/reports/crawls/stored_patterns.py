"""Check the patterns of stored tasks before pages use them: a task may have come from the command line with one that takes too long."""

from gossamer.crawl.control.command_mailbox import read_spec
from gossamer.crawl.host_shards import host_of
from gossamer.crawl.patterns.try_patterns import list_patterns, try_patterns
from gossamer.store.batch import TaskNote
from gossamer.web import Web

_SAMPLE, _SEED = 2_000, 1
_MOST_KEPT = 1_000
_tried: dict[tuple[str, bytes], None] = {}
"""Webs and tasks whose patterns were tried; the oldest first."""


def check_task_patterns(web: Web, note: TaskNote) -> None:
    """Raise SlowPattern if a pattern of a task takes too long for a sample of the known URLs."""
    patterns, key = list_patterns(read_spec(note)), (str(web.folder), note.spec)
    if not patterns or key in _tried:
        return
    urls = [url for _, url in web.store.sample_urls(_SAMPLE, _SEED)]
    try_patterns(patterns, urls, map(host_of, urls))
    _tried[key] = None
    if len(_tried) > _MOST_KEPT:
        _tried.pop(next(iter(_tried)), None)


def check_patterns_on(web: Web, url: str) -> None:
    """Raise SlowPattern if a pattern of any task takes too long for a URL."""
    for note in web.store.tasks():
        if patterns := list_patterns(read_spec(note)):
            try_patterns(patterns, [url], [host_of(url)])
