"""Schedules for tests."""

from pathlib import Path

from gossamer.schedule.schedule_file import read_schedule
from gossamer.schedule.schedule_records import Schedule

NOW_S = 1_774_000_000.0
"""20 March 2026, 9:46 UTC."""
WEBS = '[webs]\nsite = "site.web"\nother = "other.web"\n'


def make_entry(
    name: str = "one", more: str = "", do: str = "index", when: str = "every hour", web: str = "site"
) -> str:
    """Return an entry as it stands in a file."""
    return f'[[entries]]\nname = "{name}"\nweb = "{web}"\ndo = "{do}"\nwhen = "{when}"\n{more}\n'


def make_schedule(folder: Path, *entries: str, head: str = "") -> Schedule:
    """Write a schedule and read it."""
    path = folder / "schedule.toml"
    path.write_text(f"{head}\n{WEBS}\n" + "\n".join(entries or (make_entry(),)), "utf-8")
    return read_schedule(path, NOW_S)
