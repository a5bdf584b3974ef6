"""Load the topics that a task looks out for."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loaded by tasks that look out for topics, and by no others
    from gossamer.text.topics.topic_model import TopicModel


def load_topics(names: Sequence[str], folder: Path | None) -> "dict[str, TopicModel]":
    """Load the trained topics that a task looks out for; raise BadInput for one that the web does not have."""
    if not names:
        return {}
    from gossamer.store.model_folder import topic_model

    return {name: topic_model(folder or Path(), name) for name in dict.fromkeys(names)}
