"""The options of a synthetic web: its shape, its trouble and its changes, as strict records."""

from typing import Literal

import msgspec

from gossamer.errors import BadInput

GroupKind = Literal["clique", "dense", "bipartite", "hubs"]
Naming = Literal["address", "names", "countries"]


def refuse_unless(holds: bool, sentence: str) -> None:
    """Raise `BadInput` with this sentence unless the condition holds."""
    if not holds:
        raise BadInput(sentence)


def check_shares(record: msgspec.Struct, names: tuple[str, ...]) -> None:
    """Raise `BadInput` unless these fields of a record are between 0 and 1."""
    for name in names:
        value = getattr(record, name)
        refuse_unless(
            isinstance(value, int | float) and 0 <= value <= 1,
            f"{name} must be between 0 and 1, not {value!r}.",
        )


class BowTie(msgspec.Struct, frozen=True, kw_only=True):
    """Shares of the bow-tie's regions; the defaults are what Broder et al. (2000) measured.

    They counted tubes among the tendrils and gave no number; 0.010 is our choice.
    """

    core: float = 0.277
    in_: float = 0.213
    out: float = 0.212
    tendrils: float = 0.205
    tubes: float = 0.010
    disconnected: float = 0.083

    def __post_init__(self) -> None:
        check_shares(self, self.__struct_fields__)
        total = sum(getattr(self, name) for name in self.__struct_fields__)
        refuse_unless(abs(total - 1) < 1e-6, f"The shares of the bow-tie must add up to 1, not {total:g}.")
        refuse_unless(self.core > 0, "The core of the bow-tie must be above 0.")
        sides = self.in_ > 0, self.out > 0
        refuse_unless(all(sides) or self.tubes == 0, "tubes above 0 need both in_ and out above 0.")
        refuse_unless(any(sides) or self.tendrils == 0, "tendrils above 0 need in_ or out above 0.")


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of community, built `count` times.

    clique: each of `left` pages links to every other · dense: each does so with probability `density` ·
    bipartite: every one of `left` fans links to every one of `right` centres · hubs: each of `left` hubs
    links to each of `right` authorities with probability `density`.
    """

    kind: GroupKind
    count: int = 1
    left: int = 5
    right: int = 0
    density: float = 1.0

    def __post_init__(self) -> None:
        check_shares(self, ("density",))
        two_sided = self.kind in ("bipartite", "hubs")
        refuse_unless(
            self.kind in ("clique", "dense", "bipartite", "hubs"),
            f"kind must be clique, dense, bipartite or hubs, not {self.kind!r}.",
        )
        refuse_unless(self.count >= 0 and self.left >= 1, "count must be 0 or more, and left 1 or more.")
        refuse_unless(
            (self.right >= 1) if two_sided else (self.right == 0),
            f"A group of kind {self.kind} needs right {'of 1 or more' if two_sided else 'to be 0'}.",
        )

    @property
    def pages(self) -> int:
        """Number of pages in one community of this kind."""
        return self.left + self.right


def default_groups(core_pages: int) -> tuple[Group, ...]:
    """Return the default communities: one of each kind per 250 pages of the core, at most 50 of each."""
    count = min(50, core_pages // 250)
    return (
        Group(kind="clique", count=count, left=5),
        Group(kind="dense", count=count, left=8, density=0.6),
        Group(kind="bipartite", count=count, left=4, right=3),
        Group(kind="hubs", count=count, left=3, right=6, density=0.8),
    )


class Templates(msgspec.Struct, frozen=True, kw_only=True):
    """Links that the template of a host repeats on its pages. By default there are none.

    They are not part of `World.graph`, and the regions of the bow-tie are those of the other links.
    """

    navigation: int = 0
    """Links at the top of every page, to pages of the same host."""
    section: int = 0
    """Links below them that only the pages of one directory have, to pages of that directory."""
    footer: int = 0
    """Links at the bottom of every page, to pages of the same host."""
    licences: int = 0
    """Links below them, on the pages of all hosts to the same pages."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            refuse_unless(
                isinstance(value, int) and 0 <= value <= 100,
                f"{name} must be between 0 and 100, not {value!r}.",
            )


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """The shape of the graph: degrees, regions, communities, kinds of links."""

    bowtie: BowTie = BowTie()
    groups: tuple[Group, ...] | None = None
    """Communities inside the core; None for `default_groups`."""
    in_exponent: float = 2.1
    """Exponent of the power law of in-degrees (Broder et al. 2000)."""
    out_exponent: float = 2.72
    """Exponent of the power law of out-degrees (Broder et al. 2000)."""
    least_links: int = 3
    """Smallest out-degree of the power law."""
    most_links: int = 300
    """Largest out-degree of the power law. Links that hold the graph together are added to it."""
    inside_host: float = 0.70
    """Share of links that stay on their host; less where a host has too few pages."""
    inside_site: float = 0.10
    """Share of links to another host of the same site; the rest lead to other sites."""
    near: float = 0.3
    """Share of the links inside a host that lead to a nearby URL, mostly in the same directory."""
    hosts_per_site: int = 3
    host_skew: float = 0.5
    """How unevenly the pages of the core are spread over the hosts: 0 evenly, 0.5 gives the largest host a few
    times the pages of the smallest, 1 is a power law. Other regions are spread evenly."""
    island_pages: int = 20
    """Pages in each island of the disconnected region."""
    mixed_hosts: bool = False
    """The pages of every host have all topics in turn; otherwise four fifths of them have its main topic."""
    hub: float = 0.0
    """Share of the pages of the core that link to the hub of their host in running text: its second page there."""
    templates: Templates = Templates()

    def __post_init__(self) -> None:
        check_shares(self, ("inside_host", "inside_site", "near", "host_skew", "hub"))
        refuse_unless(
            self.inside_host + self.inside_site <= 1 + 1e-9,
            "inside_host plus inside_site must not exceed 1.",
        )
        refuse_unless(
            min(self.in_exponent, self.out_exponent) > 1.05,
            "in_exponent and out_exponent must be above 1.05.",
        )
        refuse_unless(
            1 <= self.least_links <= self.most_links, "least_links must be between 1 and most_links."
        )
        refuse_unless(self.hosts_per_site >= 1, "hosts_per_site must be 1 or more.")
        refuse_unless(self.island_pages >= 1, "island_pages must be 1 or more.")


PAGE_TROUBLES = (
    "redirect",
    "redirect_loop",
    "not_found",
    "gone",
    "too_many",
    "unavailable",
    "stall",
    "reset",
    "truncated",
    "wrong_length",
    "malformed",
    "endless_headers",
    "endless_body",
    "gzip_bomb",
    "wrong_encoding",
    "wrong_type",
    "near_copy",
    "frames",
    "image_map",
    "refresh",
    "base",
    "large",
    "robots_meta",
)
"""Troubles that strike a share of pages; a page has at most one of them."""
ROBOTS_TROUBLES = ("robots_missing", "robots_failing", "robots_slow", "robots_huge", "robots_hostile")
"""Troubles of robots.txt that strike a share of hosts; a host has at most one of them."""
HOST_TROUBLES = ("sessions", "calendar", "directories", "soft_404", "slow", "crawl_delay", "mirrors")
"""Troubles that strike a share of hosts, independently of each other."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """What goes wrong, each for a share (0 to 1) of the pages or hosts. The default is a web without trouble.

    Troubles of pages never strike the front pages of hosts. A share of hosts above 0 strikes at least one host.
    """

    redirect: float = 0.0
    """Every link to the page leads through a chain of redirects."""
    redirect_loop: float = 0.0
    not_found: float = 0.0
    gone: float = 0.0
    too_many: float = 0.0
    """429 with Retry-After during half of each `retry_period_s`."""
    unavailable: float = 0.0
    """503 with Retry-After during half of each `retry_period_s`."""
    stall: float = 0.0
    reset: float = 0.0
    truncated: float = 0.0
    wrong_length: float = 0.0
    malformed: float = 0.0
    endless_headers: float = 0.0
    endless_body: float = 0.0
    gzip_bomb: float = 0.0
    wrong_encoding: float = 0.0
    wrong_type: float = 0.0
    near_copy: float = 0.0
    frames: float = 0.0
    image_map: float = 0.0
    refresh: float = 0.0
    base: float = 0.0
    large: float = 0.0
    robots_meta: float = 0.0
    """noindex, nofollow or both, in a meta element or in X-Robots-Tag."""

    sessions: float = 0.0
    """Links to pages of the host carry a session id, a different one on every page."""
    calendar: float = 0.0
    directories: float = 0.0
    soft_404: float = 0.0
    slow: float = 0.0
    crawl_delay: float = 0.0
    mirrors: float = 0.0
    """Additional hosts, as a share of all hosts, each a copy of another host."""
    robots_missing: float = 0.0
    robots_failing: float = 0.0
    robots_slow: float = 0.0
    robots_huge: float = 0.0
    robots_hostile: float = 0.0

    disallowed: float = 0.0
    """Share of the directories that robots.txt disallows."""
    nofollow: float = 0.0
    """Share of the links that carry rel=nofollow."""

    chain_most: int = 4
    """The longest chain of redirects."""
    slow_s: float = 0.3
    crawl_delay_s: float = 1.0
    retry_period_s: float = 4.0
    large_bytes: int = 2_000_000
    bomb_bytes: int = 64 << 20
    """Unpacked size of a gzip bomb."""

    def __post_init__(self) -> None:
        check_shares(self, (*PAGE_TROUBLES, *ROBOTS_TROUBLES, *HOST_TROUBLES, "disallowed", "nofollow"))
        for kind, names in (("pages", PAGE_TROUBLES), ("robots files", ROBOTS_TROUBLES)):
            total = sum(getattr(self, name) for name in names)
            refuse_unless(
                total <= 1 + 1e-9, f"The troubles of {kind} must not exceed 1 in total, not {total:g}."
            )
        refuse_unless(self.chain_most >= 1, "chain_most must be 1 or more.")
        refuse_unless(
            self.retry_period_s >= 2,
            "retry_period_s must be 2 or more, since Retry-After counts whole seconds.",
        )
        refuse_unless(
            min(self.slow_s, self.crawl_delay_s) >= 0, "slow_s and crawl_delay_s must be 0 or more."
        )
        refuse_unless(
            min(self.large_bytes, self.bomb_bytes) >= 1, "large_bytes and bomb_bytes must be 1 or more."
        )

    @classmethod
    def all(cls, share: float = 0.02) -> "Trouble":
        """Return every trouble at the same share, lowered where troubles that exclude each other would exceed 1."""
        shares = dict.fromkeys((*HOST_TROUBLES, "disallowed", "nofollow"), share)
        for names in (PAGE_TROUBLES, ROBOTS_TROUBLES):
            shares |= dict.fromkeys(names, min(share, 1 / len(names)))
        return msgspec.structs.replace(cls(), **shares)


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """How the web changes over time. By default it does not change.

    Every page has its own rate of change, spread around the mean; changes are a Poisson process. Front pages
    change, but exist from the start and never vanish.
    """

    changes_per_day: float = 0.0
    """Mean number of changes of a page per day."""
    rate_spread: float = 1.0
    """0 gives all pages the mean rate; 1 spreads the rates exponentially: most pages change rarely."""
    appearing: float = 0.0
    """Share of pages that do not exist at the start."""
    appear_days: float = 30.0
    """Mean time until such a page appears."""
    vanishing: float = 0.0
    """Share of pages that vanish one day."""
    vanish_days: float = 30.0
    """Mean lifetime of such a page."""
    lying: float = 0.0
    """Share of pages with a wrong ETag and Last-Modified: half always claim a change, half never do."""

    def __post_init__(self) -> None:
        check_shares(self, ("rate_spread", "appearing", "vanishing", "lying"))
        refuse_unless(0 <= self.changes_per_day <= 86400, "changes_per_day must be between 0 and 86400.")
        refuse_unless(
            min(self.appear_days, self.vanish_days) > 0, "appear_days and vanish_days must be above 0."
        )


class Stories(msgspec.Struct, frozen=True, kw_only=True):
    """Stories that pages tell, and that rise and fall at known times. By default there are none.

    With stories, every page but the front pages of hosts states the day on which it was published, one of `days` days before
    the start of the web's clock. Each page of a day tells a story with the probability `rate`, on the day on which the story
    rises with `rise` times that.
    """

    count: int = 0
    """How many stories there are."""
    rising: int = 0
    """How many of them rise, each on one of the last days; the others keep their rate."""
    days: int = 14
    rate: float = 0.03
    rise: float = 3.0
    words: int = 5
    """Words of a story, beside a name."""

    def __post_init__(self) -> None:
        refuse_unless(
            0 <= self.rising <= self.count <= 1_000,
            "rising must be between 0 and count, and count at most 1000.",
        )
        refuse_unless(2 <= self.days <= 366, f"days must be between 2 and 366, not {self.days!r}.")
        refuse_unless(1 <= self.words <= 20, f"words must be between 1 and 20, not {self.words!r}.")
        refuse_unless(
            self.rate > 0 and self.rise >= 1 and self.rate * self.rise <= 1,
            "rate must be above 0, rise 1 or more, and rate times rise at most 1.",
        )
