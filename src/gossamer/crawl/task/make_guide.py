"""Guides for tasks whose order looks closer at links: made from what the task says, and from what the web has learnt."""

from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.config import TaskSpec
from gossamer.crawl.host_shards import Territory
from gossamer.errors import BadInput
from gossamer.order.order_expression import NEED_TOPIC, PLAIN, parse_order
from gossamer.store.batch import Store

if TYPE_CHECKING:  # loaded by tasks that have a guide, and by no others
    from gossamer.order.link_guide import Guide
    from gossamer.order.terms.order_term import Topic

ORDER_ROOM = "order"
"""Under which the store keeps what guides have learnt."""


def steering_of(spec: TaskSpec) -> tuple[object, ...]:
    """Return what of a task its guide depends on."""
    return spec.order, spec.topic, spec.focus, spec.tunnel


def guide_for(spec: TaskSpec, folder: Path | None) -> "Guide | None":
    """Make the guide of a task; None if its order needs none."""
    if is_plain(spec.order):
        return None
    return guide_of(spec, topic_of(spec, folder) if spec.topic else None)


def is_plain(order: str) -> bool:
    """Say whether an order looks at nothing but the depth of links."""
    return parse_order(order)[0].name in PLAIN


def guide_of(spec: TaskSpec, topic: "Topic | None", seed: int = 0) -> "Guide | None":
    """Make the guide of a task whose topic is at hand; None if its order needs none."""
    from gossamer.order.link_guide import Guide, GuideOptions

    if is_plain(spec.order):
        return None
    if topic is None:
        check_order(spec)
    return Guide(GuideOptions(parse_order(spec.order), topic, spec.focus, spec.tunnel, seed))


def check_order(spec: TaskSpec) -> None:
    """Raise BadInput if a task's order is none, or needs a topic that it does not name."""
    wanting = next((part.name for part in parse_order(spec.order) if part.name in NEED_TOPIC), "")
    if wanting and not spec.topic:
        raise BadInput(f"the order {wanting} needs to know what pages should be about: tell it with --topic")


def topic_of(spec: TaskSpec, folder: Path | None) -> "Topic":
    """Return the model of the topic that a task names."""
    from gossamer.store.model_folder import topic_model

    return topic_model(folder or Path(), spec.topic)


def notes_prefix(task: int, territory: Territory) -> str:
    """Return how the names of the notes begin under which a shard keeps what it learnt for a task."""
    return f"{task}.{_place(territory)}."


def _place(territory: Territory) -> str:
    return f"{territory.shard}of{territory.shards}" if territory.shards > 1 else f"{territory.shard}"


def recall_learnt(guide: "Guide", store: Store, task: int, territory: Territory) -> None:
    """Let a guide know what was learnt for its task in earlier runs.

    If the last of them had another number of processes, that is what all of these have learnt: hosts belong to others now.
    """
    from gossamer.order.link_guide import count_visits

    every = _learnt_before(store, task)
    own = every.pop(_place(territory), [])
    others = {place: count_visits(notes[-1][1]) for place, notes in every.items()}
    latest = max(others, key=lambda place: others[place], default="")
    if own and (not latest or count_visits(own[-1][1]) >= others[latest]):
        guide.load_notes(own)
    elif latest:
        guide.merge_notes([notes for place, notes in every.items() if _crew(place) == _crew(latest)])


def _crew(place: str) -> str:
    """Return of how many processes one was that wrote a note."""
    return place.partition("of")[2]


def _learnt_before(store: Store, task: int) -> dict[str, list[tuple[str, bytes]]]:
    """Return all notes of a task by the shard that wrote them, each shard's in the order in which they were written."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for name, note in store.notes(ORDER_ROOM, f"{task}."):
        number, place, _ = name.split(".")
        if number == str(task):
            found.setdefault(place, []).append((name, note))
    return found
