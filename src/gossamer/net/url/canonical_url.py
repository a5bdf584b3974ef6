"""URLs: their canonical form, the page's id that follows from it, and what host and site a URL names."""

import re
from collections.abc import Callable

from ada_url import URL, join_url, normalize_url
from xxhash import xxh3_64_intdigest

from gossamer.errors import BadUrl, BadUrlReason
from gossamer.net.url.canonical_rules import DEFAULT_RULES, UrlRules, drops
from gossamer.net.url.public_suffix import SiteRule, same_site, site

__all__ = [
    "DEFAULT_RULES",
    "BadUrl",
    "UrlRules",
    "canonical",
    "host",
    "page_id",
    "site",
    "spans_hosts",
    "spans_sites",
]

_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TAB_AND_NEWLINE = str.maketrans("", "", "\t\n\r")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"[/\\]*([^/\\?#]*)")

_UNRESERVED = {
    f"%{ord(char):02X}": char for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}
_TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
# The first group is a percent sign that encodes nothing. Were a triplet after it decoded, as in "%%34%31",
# the two could join to a new triplet: such triplets stay.
_TRIPLETS = re.compile(r"(%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?)?((?:%[0-9A-Fa-f]{2})+)")

_PATH_PARAMETER = re.compile(r";([^=;/]*)=[^;/]*")
_DOT_SEGMENT = re.compile(r"/\.\.?(?:/|\Z)")
_INDEX_PAGE = re.compile(r"/index\.html?\Z", re.IGNORECASE)

# What a parse leaves as it is: no punycode to check, no last label that may be a number (but for addresses in plain
# form), no port that may be the default, no dot segment, nothing to encode.
_LABEL = r"(?!xn--)[a-z0-9_][a-z0-9_-]*+"
_LAST_LABEL = r"(?!xn--)[a-z][a-z0-9_-]*+"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_ADDRESS = rf"{_BYTE}\.{_BYTE}\.{_BYTE}\.{_BYTE}(?![0-9.])"
_OTHER_PORT = r":(?!80/|443/)(?:6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})"
_SEGMENT = r"[A-Za-z0-9_~!$&'()*+,;:=@-][A-Za-z0-9._~!$&'()*+,;:=@%-]*+"
_QUERY = r"\?[A-Za-z0-9._~!$&()*+,;:=@/?%-]*+"
_PLAIN_URL = re.compile(
    rf"https?://(?:{_ADDRESS}|(?:{_LABEL}\.)*+{_LAST_LABEL})(?:{_OTHER_PORT})?+(?=/)"
    rf"(?:/{_SEGMENT})*+/?+(?:{_QUERY})?+(?:#[!-~]*+)?\Z"
).match


def canonical(url: str, base: str | None = None, *, rules: UrlRules = DEFAULT_RULES) -> str:
    """Return the one form that all spellings of a URL share, or raise `BadUrl` with the reason.

    Resolved and parsed as browsers do (WHATWG), which settles case, default ports, dot segments, IDNs,
    odd spellings of IP addresses and which characters are percent-encoded. Then the fragment goes,
    percent-encoding gets its normal form (RFC 3986, section 6.2.2: upper-case digits, unreserved characters
    decoded) and the parameters of the table go, `?` with them if they were all; a bare `?` stays, since
    browsers send it, and so do the order of the query and percent signs that encode nothing. Options of
    `rules` follow. The result is ASCII and its own canonical form.

    Refused: what is not http or https, or relative without base ("scheme"); what names "no host"; what is
    longer than the limit as a browser would send it ("too long"); what carries a name or a password ("user
    info"); what holds C0 controls or DEL when browsers have taken out white space around it and tabs and
    newlines within ("control characters"); whatever else does not parse ("syntax"). Fragments are not looked
    at, and a base that does not parse counts as none.
    Cost: O(length); less than half a bare parse for a plain URL, less than two for others.
    """
    if _PLAIN_URL(url):
        href = url
    elif url.count("/") == 2 and _PLAIN_URL(url + "/"):  # a host alone, as in a link home
        href = url + "/"
    else:
        href = _parsed(url, base)
    form = href.partition("#")[0]
    if len(form) > rules.max_length:
        raise BadUrl("too long", url)
    if "%" in form:
        form = _TRIPLETS.sub(_normal_triplets, form)
    if "?" in form or ";" in form:
        form = _without_parameters(form, drops(rules))
    if rules is not DEFAULT_RULES and rules.rewrites:
        form = _rewritten(form, rules)
    return form


def _parsed(url: str, base: str | None) -> str:
    """Resolve and parse as browsers do; refuse what is no address of a page."""
    if not url.isprintable():
        url = _cleaned(url)
    try:
        href = join_url(base, url) if base else normalize_url(url)
    except ValueError:
        # A base that is none must not cost the links that need none.
        if not base or not URL.can_parse(url):
            raise BadUrl(_refusal(url, bool(base)), url) from None
        href = normalize_url(url)
    if not href.startswith(("http://", "https://")):
        raise BadUrl("scheme", url)
    if href.find("@", 0, href.index("/", 8)) >= 0:
        raise BadUrl("user info", url)
    return href


def _cleaned(url: str) -> str:
    """Take out what browsers do: white space around, tabs and newlines within; refuse other controls."""
    # Surrogates join to a character or become U+FFFD, as in a browser.
    url = url.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    url = url.strip(_C0_AND_SPACE).translate(_TAB_AND_NEWLINE)
    if _CONTROL.search(url.partition("#")[0]):
        raise BadUrl("control characters", url)
    return url


def _refusal(url: str, has_base: bool) -> BadUrlReason:
    """Name the reason why a URL does not parse."""
    scheme = _SCHEME.match(url)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return "scheme"
    authority = _AUTHORITY.match(url, scheme.end() if scheme else 0)
    if scheme or url.startswith(("/", "\\")):
        host_and_port = authority[1].rpartition("@")[2] if authority else ""
        if not host_and_port or host_and_port.startswith(":"):
            return "no host"
    return "syntax" if scheme or has_base else "scheme"


def _normal_triplets(match: re.Match[str]) -> str:
    stray, triplets = match[1], match[2].upper()
    if stray:
        return stray + triplets
    return _TRIPLET.sub(lambda triplet: _UNRESERVED.get(triplet[0], triplet[0]), triplets)


def _without_parameters(url: str, dropped: Callable[[str], bool]) -> str:
    """Drop parameters by name from path and query; an emptied query takes its question mark along."""
    path, mark, query = url.partition("?")
    if ";" in path:
        path_start = path.index("/", 8)  # hosts may hold semicolons too
        shorter = path[:path_start] + _PATH_PARAMETER.sub(
            lambda parameter: "" if dropped(parameter[1]) else parameter[0], path[path_start:]
        )
        # "/..;sid=1/" must not become "/../", which is another directory.
        path = path if _DOT_SEGMENT.search(shorter) else shorter
    if query:
        pairs = [(pair, _without_dropped(pair, dropped)) for pair in query.split("&")]
        query = "&".join([kept for pair, kept in pairs if kept or not pair])
        mark = mark if query else ""
    return path + mark + query


def _without_dropped(pair: str, dropped: Callable[[str], bool]) -> str:
    """Return what is left of a pair: all, nothing, or the topic of `PHPSESSID=1;topic=2` as old forums write."""
    while dropped(pair.partition("=")[0]):
        pair = pair.partition(";")[2]
        if "=" not in pair:
            return ""
    return pair


def _rewritten(url: str, rules: UrlRules) -> str:
    """Apply the rules that are off by default."""
    scheme, _, rest = url.partition("//")
    authority, _, path_and_query = rest.partition("/")
    path, mark, query = path_and_query.partition("?")
    path = "/" + path
    if rules.drop_www:
        authority = _without_www(authority)
    before = ""
    while path != before:
        before = path
        if rules.drop_index_page:
            path = _INDEX_PAGE.sub("/", path)
        if rules.drop_end_slash:
            path = path.rstrip("/") or "/"
    return f"{scheme}//{authority}{path}{mark}{query}"


def _without_www(authority: str) -> str:
    while authority.startswith("www.") and "." in authority[4:].partition(":")[0].strip("."):
        authority = authority[4:]
    return authority


def page_id(canonical: str) -> int:
    """Return the page's id: the xxh3 fingerprint of the canonical form as a signed 64-bit number."""
    fingerprint = xxh3_64_intdigest(canonical.encode())
    return fingerprint - (1 << 64) if fingerprint >> 63 else fingerprint


def host(url: str) -> str:
    """Return the host that a URL names, with its port unless that is the scheme's default."""
    href = url if _PLAIN_URL(url) else _parsed(url, None)
    return href[href.index("//") + 2 : href.index("/", 8)]


def spans_hosts(a: str, b: str) -> bool:
    """Tell whether a link from page a to page b leaves the host (seed 002, section 3.2.1)."""
    return host(a) != host(b)


def spans_sites(a: str, b: str, rule: SiteRule = "suffix") -> bool:
    """Tell whether a link from page a to page b leaves the site; it then leaves the host too."""
    return not same_site(host(a), host(b), rule)
