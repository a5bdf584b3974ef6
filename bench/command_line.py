"""Run one benchmark from the command line and print its figures, as text or as JSON."""

import json
import signal
import sys
from collections.abc import Callable

from gossamer.errors import BadInput


def run_benchmark(name: str, measure: Callable[[], dict[str, float]], as_json: bool) -> int:
    """Measure, print the figures, and return the exit code."""
    # SIGTERM cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        found = measure()
    except BadInput as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if as_json:
        print(json.dumps(found))
    else:
        for figure, value in found.items():
            print(f"{figure:32} {value:,.3f}")
    return 0
