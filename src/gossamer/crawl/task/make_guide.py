"""Make the guide of a task whose order weighs links, from the task's options and from what earlier runs learnt."""

from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.config import TaskSpec
from gossamer.crawl.host_shards import Territory
from gossamer.errors import BadInput
from gossamer.order.order_expression import NEED_TOPIC, TERMS, parse_order
from gossamer.store.batch import Store

if TYPE_CHECKING:  # loaded by tasks that have a guide, and by no others
    from gossamer.order.link_guide import Guide
    from gossamer.order.terms.order_term import Topic

ORDER_ROOM = "order"
"""The name under which the store keeps what guides have learnt."""


def guide_options(spec: TaskSpec) -> tuple[object, ...]:
    """Return the options of a task that its guide depends on."""
    return spec.order, spec.topic, spec.focus, spec.tunnel


def load_guide(spec: TaskSpec, folder: Path | None) -> "Guide | None":
    """Make the guide of a task; None if its order needs none."""
    if is_plain(spec.order):
        return None
    return make_guide(spec, load_topic(spec, folder) if spec.topic else None)


def is_plain(order: str) -> bool:
    """Say whether an order looks at links one by one: by their depth, or as a plug-in does."""
    return parse_order(order)[0].name not in TERMS


def make_guide(spec: TaskSpec, topic: "Topic | None", seed: int = 0) -> "Guide | None":
    """Make the guide of a task whose topic is loaded; None if its order needs none."""
    from gossamer.order.link_guide import Guide, GuideOptions

    if is_plain(spec.order):
        return None
    if topic is None:
        check_order(spec)
    if topic is not None:
        from gossamer.text.topics.adapting_topic import adapt_topic

        topic = adapt_topic(topic)
    return Guide(GuideOptions(parse_order(spec.order), topic, spec.focus, spec.tunnel, seed))


def check_order(spec: TaskSpec) -> None:
    """Raise BadInput if a task's order is unknown, or needs a topic that the task does not name."""
    wanting = next((part.name for part in parse_order(spec.order) if part.name in NEED_TOPIC), "")
    if wanting and not spec.topic:
        raise BadInput(f"the order {wanting} needs a topic: name one with --topic")


def load_topic(spec: TaskSpec, folder: Path | None) -> "Topic":
    """Load the topic model that a task names."""
    from gossamer.store.model_folder import topic_model

    return topic_model(folder or Path(), spec.topic)


def notes_prefix(task: int, territory: Territory) -> str:
    """Return the prefix of the notes in which a shard keeps what it learnt for a task."""
    return f"{task}.{_place(territory)}."


def _place(territory: Territory) -> str:
    return f"{territory.shard}of{territory.shards}" if territory.shards > 1 else f"{territory.shard}"


def load_learnt(guide: "Guide", store: Store, task: int, territory: Territory) -> None:
    """Load into a guide what was learnt for its task in earlier runs.

    If the last run had another number of processes, the notes of all of them are joined: hosts have other owners now.
    """
    from gossamer.order.link_guide import count_visits

    every = _read_notes(store, task)
    own = every.pop(_place(territory), [])
    others = {place: count_visits(notes[-1][1]) for place, notes in every.items()}
    latest = max(others, key=lambda place: others[place], default="")
    if own and (not latest or count_visits(own[-1][1]) >= others[latest]):
        guide.load_notes(own)
    elif latest:
        guide.merge_notes([notes for place, notes in every.items() if _run_size(place) == _run_size(latest)])


def _run_size(place: str) -> str:
    """Return the number of processes of the run that wrote a note."""
    return place.partition("of")[2]


def _read_notes(store: Store, task: int) -> dict[str, list[tuple[str, bytes]]]:
    """Return all notes of a task by the shard that wrote them, in the order in which they were written."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for name, note in store.notes(ORDER_ROOM, f"{task}."):
        number, _, rest = name.partition(".")
        place = rest.partition(".")[0]
        if number == str(task):
            found.setdefault(place, []).append((name, note))
    return found
