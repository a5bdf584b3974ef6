"""What may be found wrong with a web, and a list that counts it and keeps a few examples."""

from typing import Literal

import msgspec

Part = Literal["archive", "cdxj", "state", "pages", "index", "models"]
Remedy = Literal["repair", "import", "lost", "forget", "none"]
"""What helps: `verify --repair`; a new web by `gossamer import`; nothing; `gossamer forget`; or nothing is needed."""

MISSING = "missing"
"""The mark of a page that is not in the archive, or only damaged."""
_EXAMPLES = 3


class Problem(msgspec.Struct, frozen=True, gc=False):
    """A kind of damage, or a state that looks like damage and is none."""

    part: Part
    sentence: str
    remedy: Remedy = "repair"

    @property
    def is_damage(self) -> bool:
        """Whether a web with it is not sound."""
        return self.remedy != "none"


PROBLEMS: dict[str, Problem] = {
    # The archive
    "file missing": Problem("archive", "a WARC file is missing", "lost"),
    "file short": Problem("archive", "a WARC file lacks bytes at its end", "lost"),
    "unreadable bytes": Problem("archive", "bytes of a WARC file are not a record", "lost"),
    "record cut": Problem("archive", "a record is shorter than its header says", "lost"),
    "digest": Problem("archive", "the payload of a record does not match its digest", "lost"),
    "revisit": Problem("archive", "a revisit refers to a response that is not there", "lost"),
    "wrong end": Problem("archive", "the state has a wrong length for a WARC file"),
    "unlisted file": Problem("archive", "a WARC file that pages need is missing in the state"),
    "uncommitted": Problem(
        "archive", "bytes of an interrupted crawl, cut off when the next one starts", "none"
    ),
    # Its indexes
    "cdxj missing": Problem("cdxj", "a WARC file has no CDXJ index"),
    "cdxj wrong": Problem("cdxj", "a CDXJ index does not list the records of its file"),
    "cdxj late": Problem("cdxj", "a CDXJ index is written when the crawl ends or continues", "none"),
    # The state
    "unusable": Problem("state", "the state cannot be opened", "import"),
    "sqlite": Problem("state", "SQLite reports damage", "import"),
    "sqlite index": Problem("state", "SQLite reports damage of an index"),
    "unreadable row": Problem("state", "a row cannot be read", "import"),
    "wrong id": Problem("state", "the id of a page is not that of its URL", "import"),
    "links": Problem("state", "the links of a page cannot be read", "import"),
    "unknown source": Problem("state", "links of a page that the web does not know", "import"),
    "unknown target": Problem("state", "a link leads to a page that the web does not know", "import"),
    "unknown visit": Problem("state", "a visit to a page that the web does not know", "import"),
    "totals": Problem("state", "a stored total is wrong"),
    "late index": Problem("state", "the index of rows by page does not fit its table"),
    "forgotten page": Problem("state", "something of a forgotten page is in the web", "forget"),
    "forgotten URL": Problem(
        "state", "the URL of a forgotten page stands in a file: a page that is kept may quote it", "none"
    ),
    "forgetting": Problem("state", "a forgetting began and has not ended", "forget"),
    # Pages in the archive
    "pointer": Problem("pages", "the state has a wrong position for a page"),
    "visit pointer": Problem("pages", "the state has a wrong position for a visit"),
    "page missing": Problem("pages", "a page is not in the archive"),
    "page damaged": Problem("pages", "the record of a page is damaged"),
    "marked": Problem("pages", "a page that an earlier repair marked as missing", "none"),
    # What is derived
    "index damaged": Problem("index", "the index cannot be read"),
    "index superfluous": Problem("index", "the index has a page that the web does not have"),
    "index behind": Problem("index", "a page waits for `gossamer index`", "none"),
    "model": Problem("models", "a model cannot be read: train it again", "lost"),
}
"""All problems by name; the names are part of the JSON output."""


class Finding(msgspec.Struct, frozen=True):
    """A problem that was found, how often, and a few examples."""

    problem: str
    count: int
    examples: tuple[str, ...]
    repaired: int = 0
    """How many of them were repaired."""


class Findings:
    """Counts problems as they are found. Cost: a few examples for each kind."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._examples: dict[str, list[str]] = {}
        self._repaired: dict[str, int] = {}
        self.checked: dict[str, int] = {}
        """How many things of each kind were checked."""

    def add(self, problem: str, example: str, count: int = 1) -> None:
        """Count a problem."""
        self._counts[problem] = self._counts.get(problem, 0) + count
        examples = self._examples.setdefault(problem, [])
        if len(examples) < _EXAMPLES:
            examples.append(example)

    def repair(self, problem: str, count: int = 1) -> None:
        """Count problems that were repaired; never more than were found."""
        done = self._repaired.get(problem, 0) + count
        self._repaired[problem] = min(done, self._counts.get(problem, 0))

    def check(self, thing: str, count: int = 1) -> None:
        """Count things that were checked."""
        self.checked[thing] = self.checked.get(thing, 0) + count

    def has(self, *problems: str) -> bool:
        """Return whether one of these problems was found."""
        return any(self._counts.get(problem) for problem in problems)

    def listed(self) -> list[Finding]:
        """Return what was found, in the order of `PROBLEMS`."""
        return [
            Finding(name, self._counts[name], tuple(self._examples[name]), self._repaired.get(name, 0))
            for name in PROBLEMS
            if self._counts.get(name)
        ]

    @property
    def is_sound(self) -> bool:
        """Whether there is no damage, or all of it was repaired."""
        return not any(PROBLEMS[one.problem].is_damage and one.repaired < one.count for one in self.listed())
