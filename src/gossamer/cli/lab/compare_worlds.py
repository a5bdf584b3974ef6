"""The webs that crawl orders are compared on: a recording with labels, or synthetic worlds."""

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
# A topic of the lab is learnt from this many pages about it, and as many others, of another world.
_LAB_EXAMPLES = 150
_ANOTHER_WORLD = 7_919
"""Added to the seed of a world for the world that supplies the examples."""


class RecordingOptions(msgspec.Struct, frozen=True):
    """A recording to compare orders on, its labels, and what is wanted."""

    file: Path
    labels: Path
    target: str
    train: str
    starts: tuple[str, ...] = ()


class LabelledPage(msgspec.Struct, frozen=True):
    """A row of a file of labels."""

    url: str
    label: str
    fields: dict[str, str]


def make_fetch(world: Answering) -> Callable[[str, FetchOptions], Outcome | None]:
    """Return a fetch function that answers from a world without a network; each page is made once."""

    @cache
    def page(url: str) -> Outcome | None:
        parts = urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        made = world.answer(LabRequest("GET", parts.netloc, (parts.path or "/") + query), 0.0)
        return make_response(url, made.body, made.status, made.headers) if made.status < 400 else None

    return lambda url, _ask: page(url)


def read_labels(path: Path) -> list[LabelledPage]:
    """Read a table of pages separated by tabs: a line of column names, then rows that start with URL and label."""
    try:
        # Split at line feeds only: a URL may contain a carriage return.
        lines = [line.split("\t") for line in path.read_bytes().decode().split("\n")]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read labels from {path}: {error}") from None
    if len(lines[0]) < 2:
        raise BadInput(
            f"{path} has no labels: it needs a line of column names, then rows of URL and label, separated by tabs"
        )
    names = lines[0]
    return list(_rows(names, lines[1:]))


def _rows(names: list[str], lines: list[list[str]]) -> Iterator[LabelledPage]:
    for line in lines:
        if len(line) == len(names):
            try:
                yield LabelledPage(canonical(line[0]), line[1], dict(zip(names, line, strict=True)))
            except BadUrl:
                continue  # no page can link to it


def make_recording_ground(options: RecordingOptions, recording: Recording | None = None) -> Ground:
    """Return a recording to compare orders on: learn the topic from some rows; the other pages of the class are wanted."""
    world = recording or Recording(options.file)
    rows = read_labels(options.labels)
    if options.target not in {row.label for row in rows}:
        known = ", ".join(sorted({row.label for row in rows}))
        raise BadInput(f"{options.labels} has no page of the class {options.target!r}: use one of {known}")
    train, rest = _split_rows(rows, options.train)
    fetch = make_fetch(world)
    about = [one for row in train if row.label == options.target and (one := _example(row.url, fetch))]
    against = [one for row in train if row.label != options.target and (one := _example(row.url, fetch))]
    wanted = frozenset(row.url for row in rest if row.label == options.target)
    seeds = tuple(canonical(url) for url in options.starts or world.seeds())
    return Ground(fetch, seeds, wanted, train_topic(about, against))


def _split_rows(rows: list[LabelledPage], condition: str) -> tuple[list[LabelledPage], list[LabelledPage]]:
    column, equals, value = condition.partition("=")
    if not equals or (rows and column not in rows[0].fields):
        columns = ", ".join(rows[0].fields) if rows else ""
        raise BadInput(
            f"--train needs COLUMN=VALUE, the pages to learn the topic from; the columns are {columns}"
        )
    train = [row for row in rows if row.fields[column] == value]
    if not train:
        raise BadInput(f"no page has {condition}: there is nothing to learn the topic from")
    return train, [row for row in rows if row.fields[column] != value]


def _example(url: str, fetch: Callable[[str, FetchOptions], Outcome | None]) -> Example | None:
    exchange = getattr(fetch(url, None), "exchange", None)  # type: ignore[arg-type]  # the options are not used
    if exchange is None:
        return None
    document = html.read(exchange.body, url, dict(exchange.headers).get("content-type"))
    return Example(document.text, document.title, url)


def parse_world(text: str, seed: int) -> World:
    """Make a world from a text of options such as `pages=20000,hosts=200,languages=en de`."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Options)}
    options: dict[str, Any] = {}
    for item in text.split(",") if text else ():
        name, equals, value = item.strip().replace("-", "_").partition("=")
        if not equals or name not in kinds:
            raise BadInput(
                f"{item!r} is not an option of a world: use NAME=VALUE, such as pages=20000 or topic_locality=0.5"
            )
        options[name] = _parse_value(value, kinds[name], name)
    options.setdefault("seed", 1)
    options["seed"] += seed
    return World(**options)


def _parse_value(text: str, kind: Any, name: str) -> Any:
    try:
        if kind in (int, float):
            return kind(text)
    except ValueError:
        raise BadInput(f"{name}={text} is not a number") from None
    return tuple(text.split()) if kind not in (str, bool) and name in ("languages", "topics") else text


def make_world_ground(world: World, topic: str, model: TopicModel) -> Ground:
    """Return a world to compare orders on: its pages about a topic, in its first language, are wanted."""
    seeds = tuple(world.seeds())
    reached = world.reachable(list(seeds), robots=False)
    wanted = frozenset(url for url in reached if is_about(world, url, topic))
    if not wanted:
        raise BadInput(
            f"no reachable page of this world is about {topic!r}; its topics are {', '.join(world.options.topics)}"
        )
    return Ground(make_fetch(world), seeds, wanted, model)


def is_about(world: World, url: str, topic: str) -> bool:
    """Tell whether a page of a world is about a topic, in the world's first language."""
    return world.about(url) == (topic, world.options.languages[0])


def learn_lab_topic(world: World, topic: str) -> TopicModel:
    """Learn a topic of the lab from the pages of another world with the same options."""
    other = World(**(msgspec.structs.asdict(world.options) | {"seed": world.options.seed + _ANOTHER_WORLD}))
    drawn = random.Random(world.options.seed).sample(range(other.options.pages), other.options.pages)
    fetch = make_fetch(other)
    sides: dict[bool, list[Example]] = {True: [], False: []}
    for number in drawn:
        url = other.url(number)
        side = sides[is_about(other, url, topic)]
        if len(side) < _LAB_EXAMPLES and (one := _example(url, fetch)):
            side.append(one)
        if min(map(len, sides.values())) >= _LAB_EXAMPLES:
            break
    return train_topic(sides[True], sides[False])
