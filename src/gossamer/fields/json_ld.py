"""Reads JSON-LD of pages: hostile input, within limits of size and depth."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

MOST_BLOCKS = 100
MOST_BLOCK_BYTES = 1_000_000
_AROUND = re.compile(
    r"\A\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>|\]\]>|;)\s*\Z"
)
_MOST_NESTED = 100


def read_json_ld(scripts: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects at the top of JSON-LD scripts, those of lists and `@graph` one by one.

    Scripts that are not JSON, too large or nested too deeply are left out.
    """
    for place, script in enumerate(scripts):
        if place >= MOST_BLOCKS:
            return
        yield from _unfold(_parse(script))


def _parse(script: str) -> Any:
    if len(script) > MOST_BLOCK_BYTES or _is_deep(script):
        return None
    try:
        return json.loads(_AROUND.sub("", _AROUND.sub("", script)), strict=False, parse_int=_parse_int)
    except (ValueError, RecursionError):
        return None


def _is_deep(script: str) -> bool:
    """Say whether brackets may be nested too deeply; brackets in strings count, which errs on the safe side."""
    depth = 0
    for mark in re.findall(r"[\[{]|[\]}]", script):
        depth += 1 if mark in "[{" else -1
        if depth > _MOST_NESTED:
            return True
    return False


def _parse_int(digits: str) -> int | float:
    # Python takes quadratic time for long numbers, and refuses those with more than 4,300 digits.
    return int(digits) if len(digits) < 19 else float(digits)


def _unfold(found: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(found, list) and depth < 3:
        for one in found:
            yield from _unfold(one, depth + 1)
    elif isinstance(found, dict):
        if "@graph" in found and "@type" not in found:
            yield from _unfold(found["@graph"], depth + 1)
        else:
            yield found
