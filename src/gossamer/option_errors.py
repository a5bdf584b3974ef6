"""Explains what is wrong in a task file: errors of msgspec in the terms of the user."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from gossamer.field_rule import FieldRule, FieldType

FIELDS = "fields"
"""The one key that is a list of sections; it is not an option of the command line."""
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "a section",
}
_PATTERNS = {
    r"^[\w.-]*$": "may have letters, digits, dots, hyphens and _ only: write 'two-words' instead of 'two words'",
    r"^[^\W\d]\w*$": "may have letters, digits and _ only, and begins with a letter or _",
    r"^(text|html|attr:[A-Za-z_:][\w:.-]*)$": "is text, html or attr:NAME",
}
"""What the patterns of options mean, in words."""
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def explain_error(
    message: str, places: Mapping[str, str], choices: Mapping[str, tuple[Any, ...]], sections: Sequence[str]
) -> str:
    """Translate an error of msgspec into the terms of a task file.

    `places` are the sections of all options, `choices` their possible values.
    """
    complaint, _, path = message.partition(" - at `$.")
    name = path.rstrip("`")
    quoted = complaint.split("`")
    if "unknown field" in complaint:
        section = path.split(".")[0].rstrip("`") if path else ""
        return _explain_unknown_key(quoted[1], section, places, sections)
    if complaint.startswith("Invalid enum value"):
        last = re.sub(r"\[.*", "", name.split(".")[-1])
        listed = ", ".join(map(str, choices.get(last) or get_args(FieldType)))
        return f"{name} cannot be {complaint.split()[-1]}: it is one of {listed}"
    if complaint.startswith("Expected `"):
        kind = " or ".join(_KINDS.get(one, one) for one in quoted[1].split(" | ") if one != "null")
        bound = quoted[2].split(",")[0].split()
        if bound[:1] == ["matching"]:
            return f"{name} {_explain_pattern(complaint.partition('regex ')[2])}"
        return f"{name} must be {kind}{f', {_BOUNDS[bound[0]]} {bound[1]}' if bound else ''}"
    return f"{complaint} ({name})" if name else complaint


def _explain_pattern(quoted: str) -> str:
    """Say what a value must look like, by its pattern as msgspec quotes it."""
    words = {repr(pattern): sentence for pattern, sentence in _PATTERNS.items()}
    return words.get(quoted, f"must match the regular expression {quoted}")


def _explain_unknown_key(wrong: str, section: str, places: Mapping[str, str], sections: Sequence[str]) -> str:
    """Explain that a key is unknown or in the wrong section."""
    if section.startswith(f"{FIELDS}["):
        return f"a field has no key {wrong!r}{suggest(wrong, FieldRule.__struct_fields__)}"
    if wrong in places:
        place = f"[{places[wrong]}]" if places[wrong] else "the task itself, before all sections"
        here = f"[{section}]" if section else "the task itself"
        return f"the key {wrong!r} belongs to {place}, not to {here}"
    return f"there is no key {wrong!r}{suggest(wrong, [*places, *sections, FIELDS])}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a question that names the most similar valid name, if there is one."""
    near = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
