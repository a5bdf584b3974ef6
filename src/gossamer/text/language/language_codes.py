"""Language codes as users write them: da,nb or nb-NO."""

import re
from collections.abc import Iterable

from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.model.model import Model

_SEPARATOR = re.compile(r"[,\s]+")


def resolve_languages(options: Iterable[str], model: Model | None = None) -> tuple[str, ...]:
    """Return the codes in these options, each once and without region; an option may hold several codes.

    A code that the model does not know raises BadInput, which names similar codes.
    """
    codes = [code for option in options for code in _SEPARATOR.split(option) if code]
    detect_many((), codes, model)  # refuses codes that the model does not know
    return tuple(dict.fromkeys(re.split("[-_]", code)[0].lower() for code in codes))
