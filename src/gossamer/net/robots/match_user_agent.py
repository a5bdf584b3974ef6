"""Finds the product token of a user agent: the name of a crawler in robots.txt and robots tags."""

import re

# RFC 9309, section 2.2.1: letters, underscore and hyphen only.
_TOKEN = re.compile(r"[A-Za-z_-]+")
_PRODUCT = re.compile(r"([A-Za-z_-]+)(?:\s*[/(]|\Z)")
_COMPATIBLE = re.compile(r"\(\s*(?:[^()]*;\s*)?compatible;\s*([A-Za-z_-]+)\s*[/;)]", re.IGNORECASE)
_LONGEST = 1024


def find_product_token(agent: str) -> str:
    """Return the token in a crawler's name or user-agent string, in lower case; "" if it has none.

    `Gossamer`, `Gossamer/0.1 (+https://example.org/)` and `Mozilla/5.0 (compatible; Gossamer/0.1)` all give
    `gossamer`. `Foo Bar` and `Bot42` give none, since no robots.txt can name them, as in Google's test cases.
    """
    agent = agent[:_LONGEST].strip()
    found = _COMPATIBLE.search(agent) or _PRODUCT.match(agent)
    return found[1].lower() if found else ""


def parse_agent_line(value: str) -> str:
    """Return the token of a `User-agent` line, in lower case: `*` for all agents, "" for none.

    Everything after the token (a version, more words) is ignored, and so is everything after `* `.
    """
    if value[:1] == "*" and (len(value) == 1 or value[1].isspace()):
        return "*"
    found = _TOKEN.match(value)
    return found[0].lower() if found else ""
