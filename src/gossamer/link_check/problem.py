"""The problems that a check finds: their names, what they mean, and one record for each."""

from typing import Literal

import msgspec

Severity = Literal["error", "warning"]

PROBLEMS: dict[str, tuple[Severity, str]] = {
    "broken": ("error", "the server says that the address does not exist, or fails to serve it"),
    "unreachable": ("error", "the host has no address, does not answer, or refuses the connection"),
    "fragment": ("error", "the page exists, and has no element with the id that the fragment names"),
    "redirect-loop": ("error", "the address redirects in a circle, or more often than browsers follow"),
    "invalid-address": ("error", "the address cannot be read as a URL"),
    "redirect-chain": ("warning", "the address redirects more than once before it arrives"),
    "permanent-redirect": ("warning", "the address has moved for good; link to the new one"),
    "mixed-content": ("warning", "a page of https loads this by http, which browsers block"),
    "robots-refused": ("warning", "robots.txt does not let robots follow this link, so it was not checked"),
    "unknown": (
        "warning",
        "the server refuses to say (401, 403, 429 and similar), so the link is not counted as broken",
    ),
    "orphan": (
        "warning",
        "no page links to the page, which a sitemap lists, which a web has kept, or which lies in the folder",
    ),
    "duplicate-title": ("warning", "other pages of the site have the same title"),
    "missing-title": ("warning", "the page has no title"),
    "missing-alt": ("warning", "an image has no alt attribute"),
    "wrong-encoding": ("warning", "the bytes of the page are not in the encoding that it declares"),
    "wrong-language": ("warning", "the text is not in the language that the page declares"),
    "html-repair": ("warning", "the HTML standard has to repair the page here"),
}
"""Each problem: how serious it is, and what it means. Their names are stable."""
ERRORS = frozenset(name for name, (severity, _) in PROBLEMS.items() if severity == "error")


class Problem(msgspec.Struct, frozen=True, gc=False):
    """One problem at one place."""

    problem: str
    """One of `PROBLEMS`."""
    target: str
    """The address that is wrong; of problems of a page itself, the page."""
    source: str
    """The page or file on which it stands."""
    status: int = 0
    """The HTTP status of the target; 0 without an answer."""
    kind: str = ""
    """How the source refers to the target, as in `net.html.references.reference_kinds`."""
    line: int = 0
    """The first line of the source on which it stands; 0 if not known."""
    column: int = 0
    detail: str = ""
    """What is known beyond the status, such as where a redirect leads."""
    times: int = 1
    """How often it stands on this source."""

    @property
    def severity(self) -> Severity:
        """How serious the problem is."""
        return PROBLEMS[self.problem][0]


class CheckResult(msgspec.Struct, frozen=True):
    """What a check found."""

    problems: list[Problem]
    checked: int
    """How many different addresses were checked, fragments included."""
    pages: int
    """How many pages or files they stand on."""
    links: int
    """How many links were checked, repeated ones included."""
    when_s: float = 0.0

    @property
    def broken(self) -> int:
        """How many different addresses are broken."""
        return len({(one.problem, one.target) for one in self.problems if one.problem in ERRORS})

    @property
    def broken_links(self) -> int:
        """How many pages a broken address stands on, summed over all of them."""
        return sum(one.problem in ERRORS for one in self.problems)


class Summary(msgspec.Struct, frozen=True):
    """The last object of a check in JSON."""

    checked: int
    broken: int
    broken_links: int
    warnings: int
    pages: int
    links: int


def summarise(result: CheckResult) -> Summary:
    """Return the numbers of a result."""
    return Summary(
        result.checked,
        result.broken,
        result.broken_links,
        sum(one.severity == "warning" for one in result.problems),
        result.pages,
        result.links,
    )
