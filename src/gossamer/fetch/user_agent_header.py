"""The headers by which the crawler identifies itself to servers, with a way to reach the person who runs it."""

import re

from gossamer.config import Politeness

# What RFC 9110 calls a mailbox, as far as people write it: no names, no quoted parts, nothing that could begin a header.
_MAIL_ADDRESS = re.compile(r"(?:mailto:)?([\w.!#$%&'*+/=?^`{|}~-]+@(?:[\w-]+\.)*[\w-]+)", re.ASCII)


def format_user_agent(politeness: Politeness) -> str:
    """Return the name of the crawler and the contact, as `Gossamer/1.0 (+https://example.org/crawl)`."""
    if not politeness.contact:
        return politeness.user_agent
    return f"{politeness.user_agent} (+{politeness.contact})"


def find_sender(politeness: Politeness) -> str:
    """Return the e-mail address for the From header; "" if the contact is a URL, or none."""
    found = _MAIL_ADDRESS.fullmatch(politeness.contact)
    return found[1] if found else ""
