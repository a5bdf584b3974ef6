"""The topic of a crawl, told by name, as a text, or as a file: what is not known yet is learnt before the crawl."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gossamer.config import TaskSpec

if TYPE_CHECKING:  # imported when a crawl has a topic
    from gossamer.web import Web

_LONGEST_NAME = 40


def with_topic(spec: TaskSpec, web: "Web") -> TaskSpec:
    """Return the task with the name of its topic: a text of several words and a file are learnt first, and kept."""
    if not spec.topic:
        return spec
    from gossamer.store.models import keep_topic_model, topic_model, topic_names

    known, is_file = topic_names(web.folder), Path(spec.topic).exists()
    name = _name_of(Path(spec.topic).stem if is_file else spec.topic)
    if spec.topic not in known and name not in known and (is_file or " " in spec.topic.strip()):
        from gossamer.cli.topics_sources import Wanted, gathered
        from gossamer.text.topics.training import train_topic

        wanted = Wanted(examples=(spec.topic,)) if is_file else Wanted(text=spec.topic)
        sides = gathered(web, wanted)
        keep_topic_model(train_topic(sides.about, sides.against, "linear", sides.prior), web.folder, name)
    elif name not in known:
        topic_model(web.folder, spec.topic)  # which says what there is
    return msgspec.structs.replace(spec, topic=spec.topic if spec.topic in known else name)


def _name_of(text: str) -> str:
    """Make a name of a text: letters, digits and dashes."""
    return re.sub(r"\W+", "-", text.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "topic"
