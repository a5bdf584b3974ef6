"""Read and write the models of a web: its language model and its topics."""

import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.atomic_file import write_atomically
from gossamer.errors import BadInput, GossamerError, StoreFailed
from gossamer.store.opening.web_name import name_web
from gossamer.store.opening.web_versions import MODELS, change_folder, find_folder
from gossamer.text.language.model.model import Model

if TYPE_CHECKING:  # numpy is loaded with the first topic
    from gossamer.text.topics.topic_model import TopicModel

_LANGUAGE = "language.bin"
_TOPIC_NAME = re.compile(r"\w[\w.-]{0,99}")


def language_model(folder: Path) -> Model:
    """Return the language model that was trained for a web, or the shipped one."""
    path = find_folder(folder, MODELS) / _LANGUAGE
    return Model.load(path if path.exists() else None)


def keep_language_model(model: Model, folder: Path) -> Path:
    """Store a web's language model and return its path; processes that use the old one keep it."""
    with change_folder(folder, MODELS) as models:
        write_model(model, models / _LANGUAGE)
    return find_folder(folder, MODELS) / _LANGUAGE


def write_model(model: Model, path: Path) -> None:
    """Write a language model atomically."""
    _write(path, model.save)


def topic_model(folder: Path, name: str) -> "TopicModel":
    """Return a topic of a web by its name."""
    from gossamer.text.topics.topic_model import TopicModel

    path = topic_path(folder, name)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        known = topic_names(folder)
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known) or 'none'}"
        raise BadInput(f"the web at {name_web(folder)} has no topic {name!r}; {hint}") from None
    except OSError as error:
        raise StoreFailed(f"{path} could not be read: {error.strerror}") from None
    return TopicModel.load(content, str(path))


def keep_topic_model(model: "TopicModel", folder: Path, name: str) -> Path:
    """Store a topic of a web under this name and return its path."""
    check_topic_name(name)
    content = model.save()
    with change_folder(folder, MODELS) as models:
        _write(models / _name_file(name), lambda new: new.write_bytes(content))
    return topic_path(folder, name)


def topic_names(folder: Path) -> list[str]:
    """Return the names of a web's topics, sorted."""
    found = find_folder(folder, MODELS).glob(_name_file("*"))
    return sorted(path.name.removeprefix("topic-").removesuffix(".bin") for path in found)


def check_models(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of a web's models that cannot be read, and why."""
    try:
        language_model(folder)
    except (GossamerError, OSError) as error:
        yield _LANGUAGE, str(error)
    for name in topic_names(folder):
        try:
            topic_model(folder, name)
        except GossamerError as error:
            yield _name_file(name), str(error)


def check_topic_name(name: str) -> None:
    """Raise `BadInput` for names that are not safe file names."""
    if not _TOPIC_NAME.fullmatch(name):
        raise BadInput(f"{name!r} cannot be the name of a topic: use letters, digits, dots, dashes and _")


def topic_path(folder: Path, name: str) -> Path:
    """Return the path of a topic's file."""
    check_topic_name(name)
    return find_folder(folder, MODELS) / _name_file(name)


def _name_file(name: str) -> str:
    return f"topic-{name}.bin"


def _write(path: Path, write: Callable[[Path], object]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        with write_atomically(path) as new:
            write(new)
    except OSError as error:
        raise StoreFailed(f"{path} could not be written: {error.strerror}") from None
