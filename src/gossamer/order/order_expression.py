"""How an order is written: one name, or several with weights, as in `topic+0.3*authority`."""

import difflib
import math
import re
from collections import Counter

import msgspec

from gossamer.errors import BadInput
from gossamer.plugins import list_plugins

PLAIN = ("breadth", "depth")
"""Orders by the depth of a link alone: like plug-ins, they need no guide, and cannot be mixed."""
TERMS = {
    "topic": "how likely it leads to pages about the topic",
    "authority": "how many of the pages read so far link to it",
    "hub": "how many relevant pages are linked to by the page that it was found on",
    "rank": "how much importance flows to it over links (OPIC)",
    "near": "how near it is to a start page",
    "language": "whether it was found on a page in a wanted language",
}
"""The terms that can be mixed, with what each says about a link, from 0 to 1."""
NEED_TOPIC = ("topic", "hub")

_TERM = re.compile(r"(?:(?P<weight>\d+(?:\.\d*)?|\.\d+)\*)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)")


class WeightedTerm(msgspec.Struct, frozen=True):
    """One term of an order, with its weight."""

    name: str
    weight: float = 1.0


def parse_order(text: str) -> tuple[WeightedTerm, ...]:
    """Parse an order; raise BadInput with a hint if it is not one."""
    terms = tuple(_parse_term(piece, text) for piece in text.replace(" ", "").split("+"))
    names = [term.name for term in terms]
    if twice := next((name for name, times in Counter(names).items() if times > 1), ""):
        raise BadInput(f"the order {text!r} names {twice} twice: give each part once, with its weight")
    if plain := next((name for name in names if name not in TERMS and len(terms) > 1), ""):
        raise BadInput(f"{plain} cannot be mixed with other orders; to prefer links near the start add near")
    return terms


def _parse_term(piece: str, text: str) -> WeightedTerm:
    found = _TERM.fullmatch(piece)
    if found is None:
        raise BadInput(f"{text!r} is not an order: write one name, or several as in topic+0.3*authority")
    name, weight = found["name"].lower(), float(found["weight"] or 1)
    if name not in (*PLAIN, *TERMS):
        name = _find_plugin(found["name"])
    if math.isinf(weight):
        raise BadInput(f"the weight of {name} is too large: write one such as 0.3 or 2")
    if not weight:
        raise BadInput(f"the weight of {name} in {text!r} is 0: leave it out, or give it one")
    return WeightedTerm(name, weight)


def _find_plugin(name: str) -> str:
    """Return the name of an order that a package adds; raise BadInput if there is none."""
    added = list_plugins("orders")
    if name in added:
        return name
    known = (*PLAIN, *TERMS, *added)
    near = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(known))}"
    raise BadInput(f"there is no order {name!r}; {hint}")
