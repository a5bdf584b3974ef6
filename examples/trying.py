"""What the other examples share: how a page on this machine is treated differently from one on the web.

A crawl keeps away from private addresses and waits a second between two pages of a host. Both are turned off for
pages of `gossamer lab serve`, so that the examples can be tried on it; for any other page nothing changes.
"""

from typing import Any


def manners(url: str) -> dict[str, Any]:
    """Return what to tell a task that begins at this page."""
    if url.startswith("http://127."):
        return {"allow_private": ["127.0.0.0/8"], "delay_s": 0.0, "per_address": False}
    return {}
