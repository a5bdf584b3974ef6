"""A program that applies patterns to texts within a limit of CPU time: run as a script, so that it can be ended.

It imports nothing of this package, and starts in some milliseconds. The first line of its input is a JSON list of the
seconds that it may take and the patterns; each further line is a text. When a pattern has been applied to all texts, the
program writes a line.
"""

import json
import re
import signal
import sys


def main() -> None:
    """Apply each pattern to all texts."""
    asked, _, given = sys.stdin.buffer.read().decode("utf-8", "surrogatepass").partition("\n")
    seconds, patterns = json.loads(asked)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # no handler: the system ends this process
    texts = given.split("\n")
    for pattern in patterns:
        search = re.compile(pattern).search
        for text in texts:
            search(text)
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
