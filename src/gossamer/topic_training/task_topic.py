"""The topic of a crawl, told by name, in words, or by examples: what is not known yet is learnt before the crawl."""

import re
from pathlib import Path

import msgspec
from xxhash import xxh3_64_hexdigest

from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.topic_training.example_sources import Collected, Sides, Wanted, gathered

_LONGEST_NAME = 32
_DIGEST = 6
_KINDS = ("text", "query", "judged")
"""What words can be said to be, as in `query:haydn symphonies`."""


def with_topic(spec: TaskSpec, web: Collected) -> TaskSpec:
    """Return the task with the name of its topic; one that is told otherwise is learnt first, and kept."""
    from gossamer.store.model_folder import topic_names

    if not spec.topic or spec.topic in topic_names(web.folder):
        return spec
    return msgspec.structs.replace(spec, topic=_learnt(spec.topic, web))


def check_told(told: str, folder: Path) -> None:
    """Refuse a topic that the web in this folder does not know, and that cannot be learnt from what was told."""
    from gossamer.store.model_folder import topic_names

    if told and told not in topic_names(folder):
        _meant(told, folder)


def wanted_by(told: str) -> Wanted | None:
    """Return what is meant by a topic that is not a name: `KIND:…`, URLs, a file or a folder, a text of several words."""
    kind, colon, words = told.partition(":")
    if colon and kind in _KINDS and words.strip():
        return Wanted(**{kind: words.strip()})
    if all("://" in one for one in told.split()):
        return Wanted(examples=told.split())
    if Path(told).exists():
        return Wanted(examples=(told,))
    return Wanted(text=told) if len(told.split()) > 1 else None


def _meant(told: str, folder: Path) -> Wanted:
    from gossamer.store.model_folder import topic_names

    wanted = wanted_by(told)
    if wanted is None:
        known = ", ".join(topic_names(folder)) or "none"
        raise BadInput(
            f"the web at {folder} has no topic {told!r}, it has {known}; to mean the word itself write text:{told}"
        )
    return wanted


def _learnt(told: str, web: Collected) -> str:
    """Learn a topic, unless the same examples have taught it before; return the name that it has now."""
    from gossamer.store.model_folder import keep_topic_model, topic_names
    from gossamer.text.topics.train_topic import train_topic

    sides = gathered(web, _meant(told, web.folder))
    name = _name_of(told, sides)
    if name not in topic_names(web.folder):
        keep_topic_model(train_topic(sides.about, sides.against, "linear", sides.prior), web.folder, name)
    return name


def _name_of(told: str, sides: Sides) -> str:
    """Make a name of what was told, with a digest of what it meant: files change, and texts may begin alike."""
    called = Path(told).stem if Path(told).exists() else re.sub(r"\w+://", "", told)
    words = re.sub(r"[^a-z0-9]+", "-", called.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "topic"
    meant = "\0".join(example.text for example in sides.about)
    return f"{words}-{xxh3_64_hexdigest(meant.encode('utf-8', 'replace'))[:_DIGEST]}"
