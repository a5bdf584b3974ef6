"""Results for machines: one JSON object a line. Apart from `show.py`, so that they need not wait for rich."""

import msgspec


def print_json(told: object) -> None:
    """Print one object, at once: whoever reads a pipe may wait for it."""
    print(msgspec.json.encode(told).decode(), flush=True)  # noqa: T201 - this is the program's voice
