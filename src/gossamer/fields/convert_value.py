"""Turns the text of a field into a number, a date or a URL."""

import re

from gossamer.errors import BadUrl
from gossamer.field_rule import FieldType
from gossamer.net import url as urls
from gossamer.net.dates import parse_date

FieldValue = str | float
_GROUP = r"['’ \u00a0\u202f\u2009]"
_NUMBER = re.compile(rf"[-+−]?\d+(?:[.,]\d+|{_GROUP}\d{{3}}(?!\d))*")
_SPACES = re.compile(_GROUP)
_LONGEST_NUMBER = 60
# Languages that write 1,234.56; the others of Europe and America write 1.234,56. Source: Unicode CLDR, numbers.
_POINT_LANGUAGES = frozenset(
    ["en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "ur", "ms", "cy", "ga", "mt", "sw", "tl"]
)


def convert_value(text: str, kind: FieldType, base: str, language: str = "") -> FieldValue | None:
    """Return a text as a value of this type; None if it is not one. Dates become Unix time.

    `base` is the URL of the page, and `language` the one that it declares, for numbers such as 1.234.
    """
    match kind:
        case "text":
            return text
        case "number":
            return parse_number(text, language)
        case "date":
            moment = parse_date(text)
            return moment.timestamp() if moment is not None else None
        case "url":
            try:
                return urls.canonical(text, base)
            except BadUrl:
                return None


def parse_number(text: str, language: str = "") -> float | None:
    """Return the first number in a text: 1234.56 for `$1,234.56`, `1.234,56 €` and `1 234,56`; None if there is none.

    Of a point and a comma, the last one is the decimal sign. If only one of them stands there, once and before exactly three
    digits, the language decides: 1.234 is 1234 in German.
    """
    found = _NUMBER.search(text)
    if found is None or len(found[0]) > _LONGEST_NUMBER:
        return None
    digits = _SPACES.sub("", found[0]).replace("−", "-")
    point = max(digits.rfind("."), digits.rfind(","))
    if point >= 0:
        whole, mark, rest = digits[:point], digits[point], digits[point + 1 :]
        if mark in whole or (len(rest) == 3 and not _is_decimal(mark, whole, language)):
            digits = re.sub(r"[.,]", "", digits)
        else:
            digits = re.sub(r"[.,]", "", whole) + "." + rest
    try:
        return float(digits)
    except ValueError:
        return None


def _is_decimal(mark: str, whole: str, language: str) -> bool:
    """Say whether a mark before three digits is the decimal sign."""
    if whole.lstrip("+-") in ("", "0") or len(whole.lstrip("+-")) > 3:
        return True
    if "." in whole or "," in whole:  # another mark groups the digits
        return True
    code = re.split(r"[-_]", language.lower())[0]
    sign = "." if not code or code in _POINT_LANGUAGES else ","
    return mark == sign
