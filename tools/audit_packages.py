"""Ask an advisory database about every pinned package, with pip-audit; say so in one line where none can be reached.

Each pin file is asked about once a day, or when it has changed. Ends within `LONGEST_S`, with or without a network. An
advisory ends it with exit code 1: take a version without it (`make pins UPGRADE=NAME`), or, where it does not concern us,
add its id and the reason to `NOT_OURS`.
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
PIP_AUDIT = REPOSITORY / ".venv" / "release-tools" / "bin" / "pip-audit"
AUDITED = REPOSITORY / ".venv" / "audited.json"
"""When each state of the pins was last found free of advisories."""
PINS = (
    "constraints.txt",
    "bench/peers/requirements.txt",
    "tests/formats/requirements.txt",
    "tools/language/requirements.txt",
)
NOT_OURS: dict[str, str] = {}
"""Advisories that do not concern us: id, and why."""
LONGEST_S = 45.0
ANSWER_S = 3
PROBE_S = 8.0
A_DAY_S = 86_400.0


def audit(pins: Path, longest_s: float) -> dict[str, Any] | None:
    """Return what pip-audit reports on a pin file; None if it got no answer from a database in time."""
    options = [
        "--disable-pip",
        "--require-hashes",
        "--progress-spinner",
        "off",
        "--timeout",
        str(ANSWER_S),
        "--format",
        "json",
    ]
    ignored = [word for one in NOT_OURS for word in ("--ignore-vuln", one)]
    command = [str(PIP_AUDIT), *options, *ignored, "--requirement", str(pins)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=longest_s)
        report: dict[str, Any] = json.loads(ran.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None
    return report if is_answered(report) else None


def is_answered(report: dict[str, Any]) -> bool:
    """Return whether a database answered for most packages.

    pip-audit skips what a database does not know, and then reports that nothing is wrong: also behind a mirror that has
    no advisories at all, which knows none of them.
    """
    skipped = sum("skip_reason" in one for one in report["dependencies"])
    return 2 * skipped < len(report["dependencies"])


def can_reach_database() -> bool:
    """Ask about one package that every database knows, which takes a second; asking about all in vain takes longer."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as one:
        pin = re.search(r"^pip==.*(?:\n +--hash.*)*", (REPOSITORY / PINS[0]).read_text("utf-8"), re.MULTILINE)
        one.write(pin[0] if pin else "")
        one.flush()
        return audit(Path(one.name), PROBE_S) is not None


def list_advisories(report: dict[str, Any]) -> list[str]:
    """Return one line for each advisory."""
    return [
        f"{one['name']} {one['version']}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'no version'}"
        for one in report["dependencies"]
        for found in one.get("vulns", [])
    ]


def hash_pins(name: str) -> str:
    """Return a name for the present state of a pin file, and of what is ignored."""
    return hashlib.sha256((REPOSITORY / name).read_bytes() + repr(sorted(NOT_OURS)).encode()).hexdigest()


def read_audited(now_s: float) -> dict[str, float]:
    """Return which states of pin files were found free of advisories within a day."""
    try:
        known: dict[str, float] = json.loads(AUDITED.read_text("utf-8"))
        return {state: then_s for state, then_s in known.items() if now_s - A_DAY_S < then_s <= now_s}
    except (OSError, ValueError):
        return {}


def main() -> int:
    """Audit all pin files; return the exit code."""
    began_s, audited = time.monotonic(), read_audited(time.time())
    due = [name for name in PINS if hash_pins(name) not in audited]
    advisories: list[str] = []
    reachable = not due or can_reach_database()
    for name in due if reachable else []:
        report = audit(REPOSITORY / name, LONGEST_S - (time.monotonic() - began_s))
        if report is None:
            reachable = False
            break
        found = list_advisories(report)
        advisories += [f"audit: {name}: {line}" for line in found]
        if not found:
            audited[hash_pins(name)] = time.time()
            AUDITED.write_text(json.dumps(audited), "utf-8")
    if not reachable:
        print("audit: no advisory database answers here, so the pinned packages are not audited.")
    elif not advisories:
        print("audit: there are no advisories for the pinned packages.")
    for line in advisories:
        print(line)
    return 1 if advisories else 0


if __name__ == "__main__":
    sys.exit(main())
