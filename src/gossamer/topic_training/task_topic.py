"""The topic of a crawl, given by name, in words or by examples, and learnt before the crawl if it is new."""

import re
from pathlib import Path

import msgspec
from xxhash import xxh3_64_hexdigest

from gossamer.config import TaskSpec
from gossamer.errors import BadInput
from gossamer.topic_training.example_sources import (
    SearchableWeb,
    TopicRequest,
    TrainingExamples,
    gather_examples,
)
from gossamer.topic_training.query_topic import read_query_pages, train_on_query

_LONGEST_NAME = 32
_DIGEST = 6
_KINDS = ("text", "query", "judged")
"""Prefixes of a topic, as in `query:haydn symphonies`."""


def resolve_topic(spec: TaskSpec, web: SearchableWeb) -> TaskSpec:
    """Return the task with the name of its topic; a topic given by examples is learnt and stored first."""
    from gossamer.store.model_folder import topic_names

    if not spec.topic or spec.topic in topic_names(web.folder):
        return spec
    return msgspec.structs.replace(spec, topic=_learn_topic(spec.topic, web))


def check_topic(topic: str, folder: Path) -> None:
    """Refuse a topic that is unknown in the web of this folder and cannot be learnt either."""
    from gossamer.store.model_folder import topic_names

    if topic and topic not in topic_names(folder):
        _require_request(topic, folder)


def describe_few_examples(name: str, folder: Path) -> str:
    """Return a sentence about a topic with too few examples; "" if it has enough."""
    from gossamer.store.model_folder import topic_model

    card = topic_model(folder, name).card
    if not card.kept:
        return ""
    count = "one example" if card.examples == 1 else f"{card.examples} examples"
    return (
        f"The topic {name} has {count}, too few to know how good it is: the crawl compares pages with each other meanwhile."
        " Ten examples are a start; gossamer topics train takes more."
    )


def parse_topic(topic: str) -> TopicRequest | None:
    """Parse a topic that is not a name: `KIND:…`, URLs, a file or a folder, or a text of several words."""
    kind, colon, words = topic.partition(":")
    if colon and kind in _KINDS and words.strip():
        return TopicRequest(**{kind: words.strip()})  # type: ignore[arg-type]  # each of these kinds is a text
    if all("://" in one for one in topic.split()):
        return TopicRequest(examples=topic.split())
    if is_path(topic):
        return TopicRequest(examples=(topic,))
    return TopicRequest(text=topic) if len(topic.split()) > 1 else None


def is_path(topic: str) -> bool:
    """Say whether a topic names a file or folder of this machine."""
    try:
        return Path(topic).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def _require_request(topic: str, folder: Path) -> TopicRequest:
    from gossamer.store.model_folder import topic_names
    from gossamer.store.opening.web_name import name_web

    request = parse_topic(topic)
    if request is None:
        known = ", ".join(topic_names(folder)) or "none"
        raise BadInput(
            f"the web at {name_web(folder)} has no topic {topic!r}, it has {known}; to use the word itself, write text:{topic}"
        )
    return request


def _learn_topic(topic: str, web: SearchableWeb) -> str:
    """Learn a topic, unless it was learnt from the same examples before; return its name."""
    from gossamer.store.model_folder import keep_topic_model, topic_names
    from gossamer.text.topics.train_topic import choose_kind, train_topic

    request = _require_request(topic, web.folder)
    pages = read_query_pages(web, request.query) if request.query else None
    examples = TrainingExamples(pages.found) if pages else gather_examples(web, request)
    name = _make_name(topic, examples)
    if name not in topic_names(web.folder):
        kind = choose_kind(len(examples.about))
        model = (
            train_on_query(pages)
            if pages
            else train_topic(examples.about, examples.against, kind, examples.prior, examples.invented)
        )
        keep_topic_model(model, web.folder, name)
    return name


def _make_name(topic: str, examples: TrainingExamples) -> str:
    """Make a name from the topic and a digest of its examples: files change, and texts may begin alike."""
    title = Path(topic).stem if is_path(topic) else re.sub(r"\w+://", "", topic)
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "topic"
    content = "\0".join(example.text for example in examples.about)
    return f"{words}-{xxh3_64_hexdigest(content.encode('utf-8', 'replace'))[:_DIGEST]}"
