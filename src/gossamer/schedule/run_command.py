"""The command line of a run: the verb of the program that an entry names, with its web and its arguments."""

from gossamer.schedule.schedule_records import Entry

WITH_JSON = frozenset({"check", "index", "hot", "search", "watch", "themes"})
"""Verbs whose output is read for what is new."""
WRITERS = frozenset({"crawl", "resume", "recrawl", "check", "watch", "mirror", "forget"})
"""Verbs that need a web for themselves."""
RESUMABLE = frozenset({"crawl", "resume", "recrawl", "check", "watch", "mirror", "backup"})
"""Verbs that stop cleanly before their end: one that was stopped goes on later, whatever its exit code."""
_ANSWERS = "100"


def make_arguments(entry: Entry, web: str) -> list[str]:
    """Return the arguments of the program for a run."""
    written = entry.written
    made: list[str] = [entry.do]
    if entry.do == "search":
        made += ["--size", _ANSWERS]
    if written.task:
        made += ["--task", written.task]
    made += [*written.arguments, "--web", web]
    if entry.do in WITH_JSON:
        made.append("--json")
    if written.query:
        # A query may begin with a dash.
        made += ["--", written.query]
    return made
