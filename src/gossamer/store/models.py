"""What a web has learnt: the folder `models/` beside its state and its archive."""

import os
from contextlib import suppress
from pathlib import Path

from gossamer.errors import StoreFailed
from gossamer.text.language.model import Model

_LANGUAGE = Path("models", "language.bin")


def language_model(folder: Path) -> Model:
    """Return the recogniser that was trained from a web, or the shipped one if none was."""
    path = folder / _LANGUAGE
    return Model.load(path if path.exists() else None)


def keep_language_model(model: Model, folder: Path) -> Path:
    """Let a web have this recogniser from now on, and say where it is; whoever reads meanwhile has the one before."""
    path = folder / _LANGUAGE
    write_model(model, path)
    return path


def write_model(model: Model, path: Path) -> None:
    """Write a model, whole or not at all."""
    new = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(exist_ok=True)
        model.save(new)
        new.replace(path)
    except OSError as error:
        raise StoreFailed(f"{path} could not be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            new.unlink()
