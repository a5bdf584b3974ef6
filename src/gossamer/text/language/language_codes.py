"""Languages as people name them: da,nb or nb-NO."""

import re
from collections.abc import Iterable

from gossamer.text.language.detection.detect_language import detect_many
from gossamer.text.language.model.model import Model

_BETWEEN = re.compile(r"[,\s]+")


def chosen_languages(told: Iterable[str], model: Model | None = None) -> tuple[str, ...]:
    """Return the codes that were told, several in one word or not, with region or without, each once.

    A code that the model does not know is bad input, which names near ones.
    """
    codes = [code for one in told for code in _BETWEEN.split(one) if code]
    detect_many((), codes, model)  # whoever recognises knows which languages there are
    return tuple(dict.fromkeys(re.split("[-_]", code)[0].lower() for code in codes))
