"""The links that the templates of hosts repeat: navigation, menus of directories, footers and licences.

They are the same on all pages of a host, or of one of its directories, and follow from the host alone.
"""

from collections.abc import Iterable
from functools import lru_cache

from gossamer.lab.layout.link_graph import Edge
from gossamer.lab.layout.page_facts import PageFacts
from gossamer.lab.layout.page_places import Layout
from gossamer.lab.layout.page_urls import find_section, list_section
from gossamer.lab.options import Templates
from gossamer.lab.seeded_random import mix, salt

_NAVIGATION, _FOOTER = salt("links of the navigation"), salt("links of the footer")
_LICENCE, _MOVED = salt("links to licences"), salt("links moved into the text")
_TEMPLATE_PLACES = ("navigation", "footer")
_TRIES = 8  # draws for each link, since a page may be drawn twice


class TemplateLinks:
    """Lists the template links of every page."""

    def __init__(self, templates: Templates, layout: Layout, seed: int) -> None:
        self._templates = templates
        self._layout = layout
        self._seed = seed
        # All pages of a host share them.
        self._list_host = lru_cache(maxsize=8192)(self._draw_host)
        self._list_section = lru_cache(maxsize=8192)(self._find_section)

    def add_links(self, page: PageFacts, own: list[Edge]) -> list[Edge]:
        """Add the template links of a page to its own links, which then leave the menu and the footer to the template.

        Its own links from there come anywhere into the text. A template never links a page to itself.
        """
        if self._templates == Templates():
            return own
        top, bottom = self._list_links(page)
        rest = [edge for edge in own if edge.place not in _TEMPLATE_PLACES]
        for edge in own:
            if edge.place in _TEMPLATE_PLACES:
                at = mix(mix(page.key, _MOVED), edge.target) % (len(rest) + 1)
                rest.insert(at, Edge(edge.target, "text"))
        return [*top, *rest, *bottom]

    def _list_links(self, page: PageFacts) -> tuple[list[Edge], list[Edge]]:
        """Return the template links at the top and at the bottom of a page."""
        host, own = page.spot.host, page.spot.number
        top, bottom = self._list_host(host, page.host.key)
        menu = self._list_section(host, find_section(page.path))
        return (
            [Edge(number, "navigation", template=True) for number in (*top, *menu) if number != own],
            [Edge(number, "footer", template=True) for number in bottom if number != own],
        )

    def _draw_host(self, host: int, key: int) -> tuple[list[int], list[int]]:
        """Draw the links of a host's navigation, which begins with its front page, and of its footer."""
        chosen, pages = self._templates, self._layout.pages_on(host)
        drawn = [mix(mix(key, _NAVIGATION), at) % pages for at in range(chosen.navigation * _TRIES)]
        foot = [mix(mix(key, _FOOTER), at) % pages for at in range(chosen.footer * _TRIES)]
        core = self._layout.areas["core"]
        licences = [mix(self._seed + at, _LICENCE) % core.count for at in range(chosen.licences * _TRIES)]
        return (
            self._number(host, _take_different([0, *drawn], chosen.navigation)),
            [
                *self._number(host, _take_different(foot, chosen.footer)),
                *(core.start + rank for rank in _take_different(licences, chosen.licences)),
            ],
        )

    def _find_section(self, host: int, section: str) -> list[int]:
        """Find the links of a directory's menu, which lead to its first pages."""
        return self._number(host, list_section(section, self._layout.pages_on(host), self._templates.section))

    def _number(self, host: int, positions: Iterable[int]) -> list[int]:
        """Return the numbers of pages from their positions on a host."""
        found = (self._layout.find_number(host, position) for position in positions)
        return [number for number in found if number is not None]


def _take_different(drawn: Iterable[int], most: int) -> list[int]:
    return list(dict.fromkeys(drawn))[:most]
