"""Run the few tests that failed once more, alone, and say which of them pass then; a defect fails twice.

Tests start servers, browsers and databases. On a machine that is busy with other tests, one of them may wait for longer than
it is ready to. Such a test passes alone, and is listed, so that it can be mended.
"""

import json
import subprocess
import sys
from pathlib import Path

_FAILED = Path(".pytest_cache/v/cache/lastfailed")
_MOST_REPEATED = 12
"""More failures than this are not an accident."""


def main() -> int:
    """Repeat what failed; return the exit code of the repetition, or 1 if there is too much or nothing to repeat."""
    failed = sorted(json.loads(_FAILED.read_text())) if _FAILED.exists() else []
    if not 0 < len(failed) <= _MOST_REPEATED:
        return 1
    print(
        f"\n{len(failed)} failed beside other tests and are run once more, alone:",
        *failed,
        sep="\n  ",
        flush=True,
    )
    command = (
        sys.executable,
        "-m",
        "pytest",
        "--last-failed",
        "--last-failed-no-failures=none",
        "--numprocesses=0",
    )
    code = subprocess.run(command, check=False).returncode
    print("They passed alone; look into them, above." if code == 0 else "They failed again.", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
