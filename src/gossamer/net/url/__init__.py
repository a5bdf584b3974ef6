"""Which page does a URL name, on which host, of which site?"""

from gossamer.errors import BadUrl
from gossamer.net.url.canonical_rules import DEFAULT_RULES, TYPED_RULES, UrlRules, find_link_rules
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
    "TYPED_RULES",
    "BadUrl",
    "UrlRules",
    "canonical",
    "find_link_rules",
    "hide_user_info",
    "host",
    "origin",
    "page_id",
    "site",
    "spans_hosts",
    "spans_sites",
    "split_user_info",
]
