"""The robots.txt of each host, with its troubles, and its sitemaps."""

import math
import time
from collections.abc import Iterator

from gossamer.lab.behaviour.faults import Troubles
from gossamer.lab.behaviour.page_changes import EPOCH_S, Timetable
from gossamer.lab.layout.page_facts import HostFacts, PageFacts, Register
from gossamer.lab.layout.page_places import Layout
from gossamer.lab.layout.page_urls import SECTIONS, Addresses, find_section
from gossamer.lab.seeded_random import mix, salt
from gossamer.lab.server.answer import Fault, LabAnswer

SITEMAP_URLS = 50_000
"""Largest number of URLs in one file (sitemaps.org)."""
_HUGE_BYTES = 700 * 1024  # above the 500 KiB that RFC 9309 requires crawlers to read
_HOSTILE = salt("hostile robots files")
_PLAIN = (("Content-Type", "text/plain; charset=utf-8"),)
_XML = (("Content-Type", "application/xml"),)
_MAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"


class RobotsFiles:
    """Writes the robots files and sitemaps of a world."""

    def __init__(
        self,
        register: Register,
        layout: Layout,
        addresses: Addresses,
        troubles: Troubles,
        timetable: Timetable,
        *,
        sitemaps: bool,
    ) -> None:
        self._register = register
        self._layout = layout
        self._addresses = addresses
        self._troubles = troubles
        self._timetable = timetable
        self._sitemaps = sitemaps

    def allows(self, host: int, path: str) -> bool:
        """Tell whether robots.txt allows a path, by RFC 9309."""
        original = self._register.find_host(self._register.find_original(host))
        trouble = self._troubles.find_robots_trouble(original.number)
        if trouble == "robots_failing":
            return False  # section 2.3.1.4: an unreachable robots.txt disallows everything
        if trouble in ("robots_missing", "robots_hostile"):
            return True
        section = find_section(path)
        return section not in SECTIONS or not self._troubles.is_disallowed(original.key, section)

    def answer_robots(self, host: int, target: str) -> LabAnswer:
        """Answer a request for robots.txt, with the host's trouble."""
        original = self._register.find_host(self._register.find_original(host))
        body = self._write_rules(original, host).encode()
        match self._troubles.find_robots_trouble(original.number):
            case "robots_missing":
                return LabAnswer(404, _PLAIN, b"There is no such file.\n", fresh_until_s=math.inf)
            case "robots_failing":
                return LabAnswer(503, _PLAIN, b"The server failed.\n", fresh_until_s=math.inf)
            case "robots_slow":
                slow = Fault(delay_s=self._troubles.trouble.slow_s * 2)
                return LabAnswer(200, _PLAIN, body, slow, fresh_until_s=math.inf)
            case "robots_huge":
                line = b"# " + b"This line is here to make the file long. " * 2 + b"\n"
                return LabAnswer(
                    200, _PLAIN, body + line * (_HUGE_BYTES // len(line)), fresh_until_s=math.inf
                )
            case "robots_hostile":
                return _answer_hostile(mix(original.key, _HOSTILE), target)
        return LabAnswer(200, _PLAIN, body, fresh_until_s=math.inf)

    def _write_rules(self, original: HostFacts, host: int) -> str:
        lines = ["User-agent: *"]
        closed = [section for section in SECTIONS if self._troubles.is_disallowed(original.key, section)]
        lines += [f"Disallow: /{section}/" for section in closed] or ["Disallow:"]
        if self._troubles.strikes("crawl_delay", original.number):
            lines.append(f"Crawl-delay: {self._troubles.trouble.crawl_delay_s:g}")
        if self._sitemaps:
            lines += ["", f"Sitemap: {self._addresses.build_url(host, '/sitemap.xml')}"]
        return "\n".join(lines) + "\n"

    def answer_sitemap(self, host: int, path: str, now_s: float) -> LabAnswer | None:
        """Answer for a host's sitemap: one file, or an index and its parts if the host is large."""
        name = path.removeprefix("/sitemap").removesuffix(".xml")
        if not self._sitemaps or path != f"/sitemap{name}.xml":
            return None
        count = self._layout.pages_on(self._register.find_original(host))
        parts = -(-count // SITEMAP_URLS)
        fresh_until_s = math.floor(now_s) + 1.0 if self._timetable.has_changes else math.inf
        if name == "" and parts > 1:
            body = self._write_index(host, parts)
        elif name == "" or (parts > 1 and name in map(str, range(parts))):
            body = self._write_part(host, int(name or 0), count, now_s)
        else:
            return None
        return LabAnswer(200, _XML, body.encode(), fresh_until_s=fresh_until_s)

    def _write_index(self, host: int, parts: int) -> str:
        rows = "".join(
            f"<sitemap><loc>{self._addresses.build_url(host, f'/sitemap{part}.xml')}</loc></sitemap>\n"
            for part in range(parts)
        )
        return (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{_MAPS}">\n{rows}</sitemapindex>\n'
        )

    def _write_part(self, host: int, part: int, count: int, now_s: float) -> str:
        rows = "".join(
            f"<url><loc>{self._addresses.build_url(host, page.path)}</loc><lastmod>{_format_date(when_s)}</lastmod></url>\n"
            for page, when_s in self._list_pages(host, part, count, now_s)
        )
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_MAPS}">\n{rows}</urlset>\n'

    def _list_pages(
        self, host: int, part: int, count: int, now_s: float
    ) -> Iterator[tuple[PageFacts, float]]:
        """Yield the pages that exist now, and when their text last changed."""
        original = self._register.find_original(host)
        for local in range(part * SITEMAP_URLS, min(count, (part + 1) * SITEMAP_URLS)):
            number = self._layout.find_number(original, local)
            if number is None:
                continue
            page = self._register.find_page(number)
            if page.life.includes(now_s):
                _, changed_s = self._timetable.find_version(page.key, now_s)
                yield page, EPOCH_S + max(changed_s, page.life.born_s)


def _format_date(when_s: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when_s))


def _answer_hostile(chance: int, target: str) -> LabAnswer:
    """Answer a request for robots.txt with random bytes, an endless chain of redirects or an endless body."""
    if chance % 3 == 0:
        rubbish = b"".join(mix(chance, turn).to_bytes(8, "little") for turn in range(512))
        return LabAnswer(
            200, (("Content-Type", "application/octet-stream"),), rubbish, fresh_until_s=math.inf
        )
    if chance % 3 == 1:
        turn = target.partition("?")[2]
        turns = int(turn[:9]) + 1 if turn.isdecimal() and turn.isascii() else 1
        return LabAnswer(302, (("Location", f"/robots.txt?{turns}"),), fresh_until_s=math.inf)
    return LabAnswer(200, _PLAIN, b"# and so on\n" * 64, Fault(endless="body"), fresh_until_s=math.inf)
