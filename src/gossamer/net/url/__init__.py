"""Which page does a URL name, on which host, of which site?"""

from gossamer.errors import BadUrl
from gossamer.net.url.canonical_rules import DEFAULT_RULES, UrlRules
from gossamer.net.url.canonical_url import (
    canonical,
    hide_user_info,
    host,
    origin,
    page_id,
    spans_hosts,
    spans_sites,
    split_user_info,
)
from gossamer.net.url.public_suffix import site

__all__ = [
    "DEFAULT_RULES",
    "BadUrl",
    "UrlRules",
    "canonical",
    "hide_user_info",
    "host",
    "origin",
    "page_id",
    "site",
    "spans_hosts",
    "spans_sites",
    "split_user_info",
]
