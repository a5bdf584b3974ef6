"""What orders are compared on: a recording with labels, or worlds of the lab."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from gossamer.assess.orders.compare_orders import Ground
from gossamer.errors import BadInput, BadUrl
from gossamer.fetch.fake_fetcher import make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.lab.recordings.replay_warc import Recording
from gossamer.lab.server.answer import Answering, LabRequest
from gossamer.lab.world.world import Options, World
from gossamer.net import html
from gossamer.net.url import canonical
from gossamer.records import Outcome
from gossamer.text.topics import Example, TopicModel, train_topic

_OK = 200
# What a topic of the lab is learnt from: so many pages of another world, half of them about it.
_LAB_EXAMPLES = 150
_ANOTHER_WORLD = 7_919
"""Is added to the seed of the world that examples are taken from."""


class RecordingOptions(msgspec.Struct, frozen=True):
    """A comparison over a recording."""

    file: Path
    labels: Path
    target: str
    train: str
    starts: tuple[str, ...] = ()


class LabelledPage(msgspec.Struct, frozen=True):
    """A page of a file of labels."""

    url: str
    label: str
    fields: dict[str, str]


def asked_of(world: Answering) -> Callable[[str, FetchOptions], Outcome | None]:
    """Return what a fetcher without network asks: what the world has, each page made once."""

    @cache
    def page(url: str) -> Outcome | None:
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        made = world.answer(LabRequest("GET", parts.netloc, (parts.path or "/") + query), 0.0)
        return make_response(url, made.body, made.status, made.headers) if made.status < 400 else None

    return lambda url, _ask: page(url)


def read_labels(path: Path) -> list[LabelledPage]:
    """Read a table of pages: a line with the names of its columns, the first of which is the URL and the next the label."""
    try:
        # At line feeds only: a URL may hold a carriage return.
        lines = [line.split("\t") for line in path.read_bytes().decode().split("\n")]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read labels from {path}: {error}") from None
    if len(lines[0]) < 2:
        raise BadInput(
            f"{path} holds no labels: a line of column names, then URL and label separated by a tab"
        )
    names = lines[0]
    return list(_rows(names, lines[1:]))


def _rows(names: list[str], lines: list[list[str]]) -> Iterator[LabelledPage]:
    for line in lines:
        if len(line) == len(names):
            try:
                yield LabelledPage(canonical(line[0]), line[1], dict(zip(names, line, strict=True)))
            except BadUrl:
                continue  # nobody can link to it


def replay_ground(told: RecordingOptions, recording: Recording | None = None) -> Ground:
    """Return a recording as a ground: the topic is learnt from some rows, and the rest of its label is wanted."""
    world = recording or Recording(told.file)
    rows = read_labels(told.labels)
    if told.target not in {row.label for row in rows}:
        known = ", ".join(sorted({row.label for row in rows}))
        raise BadInput(f"{told.labels} has no page of the class {told.target!r}; there are {known}")
    train, rest = _split(rows, told.train)
    fetch = asked_of(world)
    about = [one for row in train if row.label == told.target and (one := _example(row.url, fetch))]
    against = [one for row in train if row.label != told.target and (one := _example(row.url, fetch))]
    wanted = frozenset(row.url for row in rest if row.label == told.target)
    seeds = tuple(canonical(url) for url in told.starts or world.seeds())
    return Ground(fetch, seeds, wanted, train_topic(about, against))


def _split(rows: list[LabelledPage], told: str) -> tuple[list[LabelledPage], list[LabelledPage]]:
    column, equals, value = told.partition("=")
    if not equals or (rows and column not in rows[0].fields):
        columns = ", ".join(rows[0].fields) if rows else ""
        raise BadInput(
            f"say which pages the topic is learnt from, as COLUMN=VALUE; the columns are {columns}"
        )
    train = [row for row in rows if row.fields[column] == value]
    if not train:
        raise BadInput(f"no page has {told}: the topic cannot be learnt from it")
    return train, [row for row in rows if row.fields[column] != value]


def _example(url: str, fetch: Callable[[str, FetchOptions], Outcome | None]) -> Example | None:
    exchange = getattr(fetch(url, None), "exchange", None)  # type: ignore[arg-type]  # who asks makes no difference here
    if exchange is None:
        return None
    document = html.read(exchange.body, url, dict(exchange.headers).get("content-type"))
    return Example(document.text, document.title, url)


def world_from(text: str, seed: int) -> World:
    """Make a world of options as people write them: `pages=20000,hosts=200,languages=en de`."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Options)}
    told: dict[str, Any] = {}
    for item in text.split(",") if text else ():
        name, equals, value = item.strip().replace("-", "_").partition("=")
        if not equals or name not in kinds:
            raise BadInput(
                f"{item!r} is no option of a world: give NAME=VALUE, such as pages=20000 or topic_locality=0.5"
            )
        told[name] = _value(value, kinds[name], name)
    told.setdefault("seed", 1)
    told["seed"] += seed
    return World(**told)


def _value(text: str, kind: Any, name: str) -> Any:
    try:
        if kind in (int, float):
            return kind(text)
    except ValueError:
        raise BadInput(f"{name}={text} is no number") from None
    return tuple(text.split()) if kind not in (str, bool) and name in ("languages", "topics") else text


def world_ground(world: World, topic: str, model: TopicModel) -> Ground:
    """Return a world as a ground: wanted are its pages about a topic, in its first language."""
    seeds = tuple(world.seeds())
    reached = world.reachable(list(seeds), robots=False)
    wanted = frozenset(url for url in reached if is_about(world, url, topic))
    if not wanted:
        raise BadInput(
            f"no page of this world is about {topic!r}; its topics are {', '.join(world.options.topics)}"
        )
    return Ground(asked_of(world), seeds, wanted, model)


def is_about(world: World, url: str, topic: str) -> bool:
    """Say whether a page of a world is about a topic, in the first of its languages."""
    return world.about(url) == (topic, world.options.languages[0])


def lab_topic(world: World, topic: str) -> TopicModel:
    """Learn a topic of the lab from pages of another world than this."""
    other = World(**(msgspec.structs.asdict(world.options) | {"seed": world.options.seed + _ANOTHER_WORLD}))
    drawn = random.Random(world.options.seed).sample(range(other.options.pages), other.options.pages)
    fetch = asked_of(other)
    sides: dict[bool, list[Example]] = {True: [], False: []}
    for number in drawn:
        url = other.url(number)
        side = sides[is_about(other, url, topic)]
        if len(side) < _LAB_EXAMPLES and (one := _example(url, fetch)):
            side.append(one)
        if min(map(len, sides.values())) >= _LAB_EXAMPLES:
            break
    return train_topic(sides[True], sides[False])
