"""The URLs of a world: host numbers and names, positions and paths, and the paths of redirects and traps."""

import re
from itertools import islice
from typing import Literal

import msgspec

from gossamer.lab.options import Naming
from gossamer.lab.seeded_random import make_key
from gossamer.lab.server.loopback_sockets import loopback_address

SECTIONS = (
    "archive",
    "notes",
    "people",
    "projects",
    "library",
    "reports",
    "journal",
    "gallery",
    "themes",
    "guides",
    "events",
    "tools",
)
"""The directories that robots.txt allows or disallows."""
_SECTION_RUN = 8  # this many pages in a row share a directory

_FIRST_ADDRESS = 254 * 256  # 127.1.0.1: lower addresses stay free for other servers
MOST_HOSTS = 254 * 65536 - _FIRST_ADDRESS

_DIGITS = r"(0|[1-9]\d{0,14})"
_PAGE = re.compile(rf"/[a-z]+/(?:{_DIGITS}/p{_DIGITS}(?:\.html|/)|view\.php\?page={_DIGITS})")
_REDIRECT = re.compile(rf"/(moved|loop)/{_DIGITS}/{_DIGITS}")
_CALENDAR = re.compile(rf"/calendar/{_DIGITS}/(1[0-2]|[1-9])")
_DIRECTORIES = re.compile(r"/files/(?:(?:older|copy)/)*")
_NAME = re.compile(rf"h{_DIGITS}\.(?:lab-)?(?:site|mirror){_DIGITS}\.[a-z]+")
# The country of each language. `lab-` makes names that are not registered, should a program look them up.
# fmt: off
_COUNTRIES = {
    "ar": "eg", "cs": "cz", "da": "dk", "de": "de", "el": "gr", "en": "uk", "es": "es", "fi": "fi", "fr": "fr",
    "it": "it", "ja": "jp", "nl": "nl", "pl": "pl", "pt": "pt", "ru": "ru", "sv": "se", "tr": "tr", "zh": "cn",
}
# fmt: on
_ADDRESS = re.compile(r"127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})")


class ResolvedUrl(msgspec.Struct, frozen=True, gc=False):
    """What a URL of the world means: a page, a redirect or a trap."""

    kind: Literal["page", "moved", "loop", "calendar", "directories"]
    host: int
    """The host of the URL; mirrors have the highest numbers."""
    path: str
    number: int = 0
    """The page; for a calendar, the month counted from year 0."""
    hop: int = 0
    """Number of redirects left, or position in a loop."""


def build_path(local: int, style: int) -> str:
    """Return the path of the page with this position on its host; position 0 is the front page."""
    if local == 0:
        return "/"
    section = SECTIONS[local // _SECTION_RUN % len(SECTIONS)]
    if style == 2:
        return f"/{section}/view.php?page={local}"
    folder = local // (_SECTION_RUN * len(SECTIONS))
    return f"/{section}/{folder}/p{local}{'/' if style else '.html'}"


def find_section(path: str) -> str:
    """Return the top directory of a path, or "" for a path in the root."""
    return path[1:].partition("/")[0] if path.count("/") > 1 else ""


def list_section(section: str, pages: int, most: int) -> list[int]:
    """Return the positions of the first pages of a directory on a host with this many pages."""
    if section not in SECTIONS:
        return []
    first, every = SECTIONS.index(section) * _SECTION_RUN, _SECTION_RUN * len(SECTIONS)
    runs = (range(start, min(start + _SECTION_RUN, pages)) for start in range(first, pages, every))
    return list(islice((local for run in runs for local in run if local), most))


class Addresses:
    """Names and addresses of all hosts of a world."""

    def __init__(
        self,
        *,
        seed: int,
        hosts: int,
        mirrors: int,
        hosts_per_site: int,
        naming: Naming,
        port: int,
        languages: tuple[str, ...],
    ) -> None:
        self.seed = seed
        self.hosts = hosts
        self.mirrors = mirrors
        self.hosts_per_site = hosts_per_site
        self.naming = naming
        self.port = port
        self._languages = languages

    def site(self, host: int) -> int:
        """Return the number of the host's site; each mirror is its own site, with the highest numbers."""
        sites = -(-self.hosts // self.hosts_per_site)
        return host // self.hosts_per_site if host < self.hosts else sites + host - self.hosts

    def site_hosts(self, host: int) -> range:
        """Return all hosts of the site of a host; not for mirrors."""
        first = host - host % self.hosts_per_site
        return range(first, min(first + self.hosts_per_site, self.hosts))

    def language(self, host: int) -> str:
        """Return the language of the host's site."""
        return self._languages[self.site(host) % len(self._languages)]

    def address(self, host: int) -> str:
        """Return the loopback address of a host."""
        return loopback_address(_FIRST_ADDRESS + host)

    def name(self, host: int) -> str:
        """Return the name of a host in URLs, without port."""
        if self.naming == "address":
            return self.address(host)
        site = f"site{self.site(host)}" if host < self.hosts else f"mirror{host - self.hosts}"
        if self.naming == "names":
            return f"h{host}.{site}.example"
        return f"h{host}.lab-{site}.{_COUNTRIES[self.language(host)]}"

    def find_host(self, name: str) -> int | None:
        """Return the number of the host with this name (a port is ignored), or None."""
        name = name.partition(":")[0].lower()
        if match := _ADDRESS.fullmatch(name):
            high, middle, low = map(int, match.groups())
            host = (high * 256 + middle) * 254 + low - 1 - _FIRST_ADDRESS
        elif match := _NAME.fullmatch(name):
            host = int(match[1])
        else:
            return None
        return host if 0 <= host < self.hosts + self.mirrors and self.name(host) == name else None

    def key(self, name: str) -> int:
        """Return the key of a host's name, or of a page's URL without scheme and port."""
        return make_key(self.seed, name)

    def build_url_at(self, name: str, path: str) -> str:
        """Return an absolute URL, in canonical form."""
        return f"http://{name}{'' if self.port == 80 else f':{self.port}'}{path}"

    def build_url(self, host: int, path: str) -> str:
        """Return an absolute URL, in canonical form."""
        return self.build_url_at(self.name(host), path)

    def parse_path(self, path: str, style: int) -> int | None:
        """Return the position on its host of the page with this path, or None if there is none."""
        if path == "/":
            return 0
        match = _PAGE.fullmatch(path)
        if not match:
            return None
        local = int(match[2] or match[3])
        return local if build_path(local, style) == path else None


def redirect_path(number: int, hop: int) -> str:
    """Return the path of a redirect that is `hop` hops away from a page."""
    return f"/moved/{hop}/{number}"


def loop_path(number: int, hop: int) -> str:
    """Return the path of one turn of a loop of redirects."""
    return f"/loop/{hop}/{number}"


def calendar_path(month: int) -> str:
    """Return the path of a calendar's month, counted from year 0."""
    return f"/calendar/{month // 12}/{month % 12 + 1}"


def parse_special_path(host: int, path: str) -> ResolvedUrl | None:
    """Parse a path that is not a page: a redirect, a loop or a trap."""
    if match := _REDIRECT.fullmatch(path):
        return ResolvedUrl(
            "moved" if match[1] == "moved" else "loop", host, path, int(match[3]), int(match[2])
        )
    if match := _CALENDAR.fullmatch(path):
        return ResolvedUrl("calendar", host, path, int(match[1]) * 12 + int(match[2]) - 1)
    if _DIRECTORIES.fullmatch(path):
        return ResolvedUrl("directories", host, path)
    return None
