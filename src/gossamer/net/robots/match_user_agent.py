"""Finds the name of a crawler in user agents, in robots.txt and in robots tags."""

import re

# RFC 9309, section 2.2.1, has letters, underscore and hyphen only. Crawlers and sites write digits and dots, too: a
# name is compared whole (`MJ12bot`), and a line of robots.txt also up to the end of its token (`FooBot/1.2`).
_TOKEN = re.compile(r"[A-Za-z_-]+")
_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_PRODUCT = re.compile(r"([A-Za-z0-9_.-]+)(?:\s*[/(]|\Z)")
_COMPATIBLE = re.compile(r"\(\s*(?:[^()]*;\s*)?compatible;\s*([A-Za-z0-9_.-]+)\s*[/;)]", re.IGNORECASE)
_LONGEST = 1024


def find_agent_name(agent: str) -> str:
    """Return the name in a crawler's name or user-agent string, in lower case; "" if it has none.

    `Bot42`, `Bot42/0.1 (+https://example.org/)` and `Mozilla/5.0 (compatible; Bot42/0.1)` all give `bot42`. `Foo Bar`
    gives none, since no robots.txt can name it, as in Google's test cases.
    """
    agent = agent[:_LONGEST].strip()
    found = _COMPATIBLE.search(agent) or _PRODUCT.match(agent)
    return found[1].lower() if found else ""


def parse_agent_line(value: str) -> tuple[str, ...]:
    """Return the names that a `User-agent` line applies to, in lower case: `*` for all agents, none without a name.

    These are its token, after which everything (a version, more words) is ignored, and its first word if that goes
    on after the token: `AB42bot` applies to `AB`, as in Google's test cases, and to `AB42bot`, which is what it says.
    Everything after `* ` is ignored.
    """
    if value[:1] == "*" and (len(value) == 1 or value[1].isspace()):
        return ("*",)
    found = [pattern.match(value) for pattern in (_TOKEN, _NAME)]
    return tuple(dict.fromkeys(one[0].lower() for one in found if one))
