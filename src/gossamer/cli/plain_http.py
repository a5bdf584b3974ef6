"""A few lines of HTTP for the demo, until the crawl brings its own fetcher."""

import http.client
from urllib.parse import urlsplit

import msgspec


class Answer(msgspec.Struct, frozen=True):
    """What a server answered; a failure is status 0."""

    status: int
    body: bytes = b""
    content_type: str = ""
    location: str = ""


def get(url: str) -> Answer:
    """Ask for one page."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=5)
    try:
        connection.request("GET", parts.path + (f"?{parts.query}" if parts.query else ""))
        answer = connection.getresponse()
        return Answer(
            answer.status,
            answer.read(),
            answer.getheader("Content-Type", ""),
            answer.getheader("Location", ""),
        )
    except (OSError, http.client.HTTPException):
        return Answer(0)
    finally:
        connection.close()
