"""What the canonical form of a URL leaves out: a table, and options that are off unless asked for."""

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
"""Parameters by which servers tell visitors apart: Java, PHP, ASP, ColdFusion, BroadVision, web shops."""

TRACKING_PARAMETERS = (
    "utm_*",  # Google Analytics and everybody who copied it
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
"""Parameters that tell where a visitor came from; the page is the same without them."""


class UrlRules(msgspec.Struct, frozen=True, cache_hash=True):
    """What `canonical` leaves out of a URL beyond fragment and default port."""

    dropped_parameters: tuple[str, ...] = SESSION_PARAMETERS + TRACKING_PARAMETERS
    """Names in any case; a star at the end stands for any ending. They go from the query (`?sid=1`) and,
    when they have a value, from path segments (`;jsessionid=1`)."""
    drop_end_slash: bool = False
    """`/dir/` becomes `/dir`, as seed 000 proposes; many servers answer the two differently."""
    drop_index_page: bool = False
    """`/dir/index.html` and `/dir/index.htm` become `/dir/`."""
    drop_www: bool = False
    """`www.example.org` becomes `example.org`; `www.org` stays."""
    max_length: int = 2_083
    """Characters of what a browser would send; Heritrix and Scrapy have the same limit."""

    @property
    def rewrites(self) -> bool:
        """Whether one of the options is on."""
        return self.drop_end_slash or self.drop_index_page or self.drop_www


DEFAULT_RULES = UrlRules()


@lru_cache(maxsize=64)
def drops(rules: UrlRules) -> Callable[[str], bool]:
    """Return the test whether a parameter of this name is left out."""
    lowered = [name.lower() for name in rules.dropped_parameters]
    exact = frozenset(name for name in lowered if not name.endswith("*"))
    beginnings = tuple(name.rstrip("*") for name in lowered if name.endswith("*"))

    def dropped(name: str) -> bool:
        name = name.lower()
        return name in exact or name.startswith(beginnings)

    return dropped
