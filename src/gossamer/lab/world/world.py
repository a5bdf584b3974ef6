"""A synthetic web whose truth is known: any size, no files, the same for the same seed.

A page's content and links follow from a hash of its own URL and the seed; nothing is stored for each page.
The parts, from numbers to bytes: `layout/page_places` (where pages are), `layout/page_urls` (their URLs),
`layout/link_graph` (their links), `behaviour` (troubles and changes), `layout/page_facts` and `plan_page` (all of
this for one page), `writing` (the words), `answer_request` (the answer), `ground_truth` (what a crawler should find).
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self, get_args

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.behaviour.faults import Troubles
from gossamer.lab.behaviour.news_stories import NewsCalendar, PlantedStory
from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.layout.link_graph import Linker
from gossamer.lab.layout.page_facts import LanguageMix, Register
from gossamer.lab.layout.page_places import Layout
from gossamer.lab.layout.page_urls import MOST_HOSTS, Addresses
from gossamer.lab.layout.template_links import TemplateLinks
from gossamer.lab.options import (
    Changes,
    Naming,
    Shape,
    Stories,
    Trouble,
    check_shares,
    refuse_unless,
)
from gossamer.lab.script_options import Scripted
from gossamer.lab.scripts.script_kinds import ScriptKinds
from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.world.answer_request import Responder
from gossamer.lab.world.ground_truth import Community, PageTruth, TrueGraph, Truth
from gossamer.lab.world.plan_page import Planner
from gossamer.lab.world.robots_and_sitemaps import RobotsFiles
from gossamer.lab.world.script_files import ScriptFiles
from gossamer.lab.writing.page_content import LANGUAGES, TOPICS, PageWriter
from gossamer.lab.writing.vocabulary import check_installed, check_offered

MOST_PAGES = 10**12
_KINDS: dict[str, type] = {
    "seed": int,
    "hosts": int,
    "pages": int,
    "port": int,
    "shape": Shape,
    "trouble": Trouble,
    "changes": Changes,
    "stories": Stories,
    "scripted": Scripted,
    "languages": tuple,
    "topics": tuple,
}
"""Types that msgspec checks when it reads a file, checked for callers in Python, too."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a world: equal options make equal worlds."""

    seed: int = 7
    hosts: int = 20
    pages: int = 1000
    shape: Shape = Shape()
    trouble: Trouble = Trouble()
    changes: Changes = Changes()
    stories: Stories = Stories()
    scripted: Scripted = Scripted()
    languages: tuple[str, ...] = ("en", "de")
    """Each site uses one of them."""
    topics: tuple[str, ...] = tuple(TOPICS)
    """The topics of pages; some pages have none."""
    topic_locality: float = 0.6
    """Share of the links of pages with a topic that lead to the same topic; less in a world with too few pages
    of each."""
    naming: Naming = "address"
    """How URLs name a host: by its 127.x.y.z address, by a name (see `World.host_map`), or by a name in the domain
    of the country of its language."""
    foreign: float = 0.0
    """Share of the pages that are in the first language, whatever their site uses: much of the web is in English."""
    misdeclared: float = 0.0
    """Share of the hosts whose pages declare no language, or all declare the first one, as templates do."""
    port: int = 8100
    sitemaps: bool = False
    """Every host has a sitemap, listed in its robots.txt."""
    compress: float = 0.25
    """Share of hosts that answer with gzip if the client accepts it."""

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            value = getattr(self, name)
            refuse_unless(isinstance(value, kind), f"{name} must be of type {kind.__name__}, not {value!r}.")
        refuse_unless(1 <= self.pages <= MOST_PAGES, f"pages must be between 1 and 10^12, not {self.pages}.")
        refuse_unless(
            1 <= self.hosts <= MOST_HOSTS // 2,
            f"hosts must be between 1 and {MOST_HOSTS // 2:,}, not {self.hosts}.",
        )
        refuse_unless(
            self.hosts <= self.pages,
            f"{self.hosts:,} hosts need at least as many pages, not {self.pages:,}.",
        )
        refuse_unless(1 <= self.port <= 65535, f"port must be between 1 and 65535, not {self.port}.")
        check_shares(self, ("topic_locality", "compress", "foreign", "misdeclared"))
        refuse_unless(
            self.naming in get_args(Naming), f"naming must be one of {', '.join(get_args(Naming))}."
        )
        refuse_unless(bool(self.languages), "A world needs at least one language.")
        for language in self.languages:
            check_offered("language", language, LANGUAGES)
        for topic in self.topics:
            check_offered("topic", topic, TOPICS)


class World:
    """A synthetic web.

    `World(seed=7, hosts=20, pages=1000, trouble=Trouble.all(0.02))`; all options are fields of `Options`.
    Times (`now_s`) are seconds on the web's clock, which shows 0 at the start.
    """

    def __init__(self, seed: int = 7, hosts: int = 20, pages: int = 1000, **options: Any) -> None:
        check_installed()  # here, since a server that finds no words cannot answer
        unknown = sorted(set(options) - set(Options.__struct_fields__))
        refuse_unless(not unknown, f"A world has no option {unknown[0] if unknown else ''!r}.")
        try:
            self.options = Options(seed=seed, hosts=hosts, pages=pages, **options)
        except TypeError as error:  # for example a text instead of a number
            raise BadInput(f"An option of the world has the wrong type: {error}.") from None
        self._build()

    def _build(self) -> None:
        options, shape = self.options, self.options.shape
        self._layout = Layout(options.hosts, options.pages, shape, len(options.topics))
        troubles = Troubles(
            options.trouble, options.seed, options.hosts, self._layout.areas["core"].place(0)[0]
        )
        self._addresses = self._make_addresses(troubles.mirrors)
        timetable = Timetable(options.changes)
        speech = LanguageMix(options.languages[0], options.foreign, options.misdeclared)
        kinds = ScriptKinds(options.scripted)
        register = Register(self._layout, self._addresses, troubles, timetable, speech, kinds)
        linker = Linker(
            self._layout,
            shape,
            topics=len(options.topics),
            locality=options.topic_locality,
            key=register.key,
            site_hosts=self._addresses.site_hosts,
        )
        common: dict[str, Any] = {
            "register": register,
            "addresses": self._addresses,
            "troubles": troubles,
            "timetable": timetable,
        }
        templates = TemplateLinks(shape.templates, self._layout, options.seed)
        self._calendar = NewsCalendar(options.seed, options.stories)
        planner = Planner(
            linker=linker, templates=templates, topics=options.topics, calendar=self._calendar, **common
        )
        robots_files = RobotsFiles(layout=self._layout, sitemaps=options.sitemaps, **common)
        parts: dict[str, Any] = {
            "planner": planner,
            "robots_files": robots_files,
            "writer": self._get_writer,
            **common,
        }
        script_files = ScriptFiles(
            writer=self._get_writer,
            register=register,
            planner=planner,
            addresses=self._addresses,
            timetable=timetable,
            kinds=kinds,
        )
        self._responder = Responder(compress=options.compress, script_files=script_files, **parts)
        self._truth = Truth(layout=self._layout, linker=linker, responder=self._responder, **parts)
        self._register = register

    def _make_addresses(self, mirrors: int) -> Addresses:
        options = self.options
        return Addresses(
            seed=options.seed,
            hosts=options.hosts,
            mirrors=mirrors,
            hosts_per_site=options.shape.hosts_per_site,
            naming=options.naming,
            languages=options.languages,
            port=options.port,
        )

    @cached_property
    def _writer(self) -> PageWriter:
        return PageWriter(self.options.seed, self.options.languages, self.options.topics)

    def _get_writer(self) -> PageWriter:
        return self._writer

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_options, (self.options,)

    def __repr__(self) -> str:
        options = self.options
        return f"World(seed={options.seed}, hosts={options.hosts}, pages={options.pages})"

    def with_port(self, port: int) -> Self:
        """Return the same world on another port."""
        return type(self)(**msgspec.structs.asdict(msgspec.structs.replace(self.options, port=port)))

    def hosts(self) -> list[str]:
        """Return the names of all hosts, mirrors last, without port."""
        return [self._addresses.name(host) for host in range(self._addresses.hosts + self._addresses.mirrors)]

    def host_map(self) -> dict[str, str]:
        """Map each host name to its address; empty if the names are the addresses."""
        if self.options.naming == "address":
            return {}
        hosts = range(self._addresses.hosts + self._addresses.mirrors)
        return {self._addresses.name(host): self._addresses.address(host) for host in hosts}

    def site(self, url: str) -> int | None:
        """Return the number of the site of a URL; None if the world has no such URL."""
        resolved = self._truth.resolve(url)
        return None if resolved is None else self._addresses.site(resolved.host)

    def allows(self, url: str) -> bool:
        """Tell whether the robots.txt of its host allows a URL, whether or not it is a page."""
        return self._truth.allows(url)

    def answer(self, request: LabRequest, now_s: float) -> LabAnswer:
        """Answer one request at the world's time."""
        return self._responder.answer(request, now_s)

    def url(self, number: int) -> str:
        """Return the URL of the page with this number, from 0 to pages-1."""
        refuse_unless(0 <= number < self.options.pages, f"There is no page number {number}.")
        return self._register.build_url(self._register.find_page(number))

    def seeds(self, everywhere: bool = False) -> list[str]:
        """Return start URLs: the roots of the core and of the region "in".

        From them a crawler reaches core, in, out, tubes and half of the tendrils. With `everywhere`, the roots of
        the other tendrils and of every island are added, so that every page is reachable.
        """
        roots = [area.start for name, area in self._layout.areas.items() if name in ("core", "in")]
        if everywhere:
            areas = self._layout.areas
            roots += [areas["tendrils_out"].start] if "tendrils_out" in areas else []
            roots += self._layout.list_island_roots()
        return [self.url(number) for number in roots]

    def regions(self) -> dict[str, int]:
        """Return how many pages each region of the bow-tie has."""
        counts: dict[str, int] = {}
        for area in self._layout.areas.values():
            counts[area.region] = counts.get(area.region, 0) + area.count
        return counts

    def page(self, url: str, now_s: float = 0.0) -> PageTruth | None:
        """Return the truth about a URL, in any spelling; None if the world has no such page."""
        return self._truth.page(url, now_s)

    def about(self, url: str) -> tuple[str, str]:
        """Return the topic and the language of a page; both are "" if there is no such page."""
        return self._truth.about(url)

    def stories(self) -> tuple[PlantedStory, ...]:
        """Return the stories that pages tell, those that rise first."""
        return self._calendar.stories

    def graph(self, now_s: float = 0.0) -> TrueGraph:
        """Return the true graph of a small world."""
        return self._truth.graph(now_s)

    def communities(self) -> Iterator[Community]:
        """Yield the communities that were built into the core."""
        return self._truth.communities()

    def reachable(
        self,
        seeds: list[str] | None = None,
        now_s: float = 0.0,
        *,
        robots: bool = True,
        redirects: bool = True,
        doubtful: bool = False,
        scripts: bool = True,
    ) -> dict[str, int]:
        """Return the pages that a crawler must find from the seeds, each with its depth in clicks.

        With `robots`, the crawler obeys robots.txt and nofollow; with `redirects`, it follows them; it always obeys
        Retry-After. Broken pages, and pages reachable only through them, are left out; so are doubtful ones
        (`faults.OUTCOMES`) unless `doubtful` is set: what a crawler finds is between the two. Traps are left out.
        With `scripts`, the crawler shows pages in a browser; without, it misses the links that only scripts make.
        """
        return self._truth.reachable(
            self.seeds() if seeds is None else seeds,
            now_s,
            robots=robots,
            redirects=redirects,
            doubtful=doubtful,
            scripts=scripts,
        )


def _from_options(options: Options) -> World:
    return World(**msgspec.structs.asdict(options))
