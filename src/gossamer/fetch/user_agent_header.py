"""The User-Agent header by which the crawler identifies itself to servers, with a way to reach the person who runs it."""

from gossamer.config import Politeness


def format_user_agent(politeness: Politeness) -> str:
    """Return the name of the crawler and the contact, as `Gossamer/1.0 (+https://example.org/crawl)`."""
    if not politeness.contact:
        return politeness.user_agent
    return f"{politeness.user_agent} (+{politeness.contact})"
