"""The parameters that canonical URLs leave out, and further options, off by default."""

from collections.abc import Callable
from functools import lru_cache

import msgspec

SESSION_PARAMETERS = (
    "jsessionid",
    "phpsessid",
    "sid",
    "sessid",
    "sessionid",
    "session_id",
    "aspsessionid*",
    "asp.net_sessionid",
    "cfid",
    "cftoken",
    "bv_sessionid",
    "bv_engineid",
    "oscsid",
    "xtcsid",
    "zenid",
)
"""Parameters that identify a visitor's session: Java, PHP, ASP, ColdFusion, BroadVision, web shops."""

TRACKING_PARAMETERS = (
    "utm_*",  # Google Analytics and its imitators
    "_ga",
    "_gl",
    "gclid",
    "gclsrc",
    "gbraid",
    "wbraid",
    "dclid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "fbclid",  # Facebook, Instagram
    "igshid",
    "igsh",
    "msclkid",  # Microsoft
    "twclid",  # Twitter, TikTok, LinkedIn, Pinterest
    "ttclid",
    "li_fat_id",
    "epik",
    "yclid",  # Yandex
    "ysclid",
    "_openstat",
    "mtm_*",  # Matomo, once Piwik
    "matomo_*",
    "piwik_*",
    "pk_campaign",
    "pk_kwd",
    "mc_cid",  # mail: Mailchimp, Marketo, HubSpot, Vero, MailerLite
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "vero_id",
    "vero_conv",
    "ml_subscriber",
    "ml_subscriber_hash",
    "oly_anon_id",
    "oly_enc_id",
    "wickedid",
    "irclickid",
    "zanpid",
)
"""Parameters that track where a visitor came from; the page is the same without them."""


class UrlRules(msgspec.Struct, frozen=True, cache_hash=True):
    """What `canonical` leaves out of a URL, besides the fragment and the default port."""

    dropped_parameters: tuple[str, ...] = SESSION_PARAMETERS + TRACKING_PARAMETERS
    """Names in any case; a star at the end matches any ending. They are removed from the query (`?sid=1`) and,
    if they have a value, from path segments (`;jsessionid=1`)."""
    drop_end_slash: bool = False
    """`/dir/` becomes `/dir`, as the Web Search slides propose; many servers answer the two differently."""
    drop_index_page: bool = False
    """`/dir/index.html` and `/dir/index.htm` become `/dir/`."""
    drop_www: bool = False
    """`www.example.org` becomes `example.org`; `www.org` stays."""
    schemes: tuple[str, ...] = ()
    """Schemes besides http and https: `ftp`, `file`, or that of a plug-in."""
    max_length: int = 2_083
    """In characters, as a browser would send the URL; Heritrix and Scrapy have the same limit."""

    @property
    def rewrites(self) -> bool:
        """Whether one of the options is on."""
        return self.drop_end_slash or self.drop_index_page or self.drop_www


DEFAULT_RULES = UrlRules()
TYPED_RULES = UrlRules(schemes=("file", "ftp"))
"""For URLs that a user gives: all schemes that can be fetched."""


@lru_cache(maxsize=64)
def find_link_rules(page: str, schemes: tuple[str, ...] = ()) -> UrlRules:
    """Return the rules for links on a page: those to `file:` are valid on pages of `file:` alone, whatever a task allows.

    `page` is the scheme of the page, and `schemes` are further ones that the task follows.
    """
    allowed = set(schemes) - {"file"} | ({page} & {"file", "ftp"})
    return UrlRules(schemes=tuple(sorted(allowed))) if allowed else DEFAULT_RULES


@lru_cache(maxsize=64)
def make_parameter_test(rules: UrlRules) -> Callable[[str], bool]:
    """Return a function that tells whether a parameter of a given name is left out."""
    lowered = [name.lower() for name in rules.dropped_parameters]
    exact = frozenset(name for name in lowered if not name.endswith("*"))
    beginnings = tuple(name.rstrip("*") for name in lowered if name.endswith("*"))

    def is_dropped(name: str) -> bool:
        name = name.lower()
        return name in exact or name.startswith(beginnings)

    return is_dropped
