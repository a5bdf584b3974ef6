"""Computes the canonical form of a URL, its page id and its host."""

import re
from collections.abc import Callable
from urllib.parse import unquote

from ada_url import URL, join_url, normalize_url
from xxhash import xxh3_64_intdigest

from gossamer.errors import BadUrl, BadUrlReason
from gossamer.net.url.canonical_rules import DEFAULT_RULES, TYPED_RULES, UrlRules, make_parameter_test
from gossamer.net.url.public_suffix import SiteRule, is_same_site

_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_TAB_AND_NEWLINE = str.maketrans("", "", "\t\n\r")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"[/\\]*([^/\\?#]*)")

_UNRESERVED = {
    f"%{ord(char):02X}": char for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
}
_TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
# The first group is a percent sign that encodes nothing. If a triplet after it were decoded, as in "%%34%31", the two
# could form a new triplet: such triplets are kept.
_TRIPLETS = re.compile(r"(%(?![0-9A-Fa-f]{2})[0-9A-Fa-f]?)?((?:%[0-9A-Fa-f]{2})+)")

# Greedy on purpose: a password may contain what ends a host, such as a slash.
_USER_INFO = re.compile(r"\A((?:[a-z][a-z0-9+.-]*:)?[/\\]*).*@", re.IGNORECASE | re.DOTALL)

_FILE = "file://localhost/"
_ENCODED_SLASH = re.compile(r"%2f|%00", re.IGNORECASE)
_PORT = re.compile(r":\d+\Z")
_PATH_PARAMETER = re.compile(r";([^=;/]*)=[^;/]*")
_DOT_SEGMENT = re.compile(r"/\.\.?(?:/|\Z)")
_INDEX_PAGE = re.compile(r"/index\.html?\Z", re.IGNORECASE)

# URLs that a parser would not change: no punycode to check, no last label that may be a number (except addresses in
# plain form), no port that may be the default, no dot segment, nothing to encode.
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

    The URL is resolved and parsed as browsers do (WHATWG), which normalises case, default ports, dot segments, IDNs,
    odd spellings of IP addresses and the choice of percent-encoded characters. Then the fragment is removed,
    percent-encoding gets its normal form (RFC 3986, section 6.2.2: upper-case digits, unreserved characters decoded),
    and the parameters of the table are removed, with the `?` if no others are left. A bare `?` stays, since browsers
    send it, and so do the order of the query and percent signs that encode nothing. Then the options of `rules` apply.
    The result is ASCII and its own canonical form.

    Of further schemes, which only `rules` can allow, paths keep all parameters. A file is `file://localhost/path`, without a query, and
    FTP has its port, `ftp://host:21/`, so that the host of a URL is always what stands between its second and its third slash, and
    a web server and an FTP server of one name are two hosts.

    Refused are URLs that are not http or https, or relative without a base ("scheme"); URLs without a host ("no
    host"); URLs longer than the limit as a browser would send them ("too long"); URLs with a user name or password
    ("user info"); URLs with C0 controls or DEL, after white space around them and tabs and newlines within are removed
    as in browsers ("control characters"); and URLs that do not parse for another reason ("syntax"). Fragments are not
    checked, and a base that does not parse counts as none.
    Cost: O(length); less than half a bare parse for a plain URL, less than two for others.
    """
    if _PLAIN_URL(url):
        href = url
    elif url.count("/") == 2 and _PLAIN_URL(url + "/"):  # a host alone, as in a link home
        href = url + "/"
    else:
        href = _parse(url, base, rules.schemes)
    form = href.partition("#")[0]
    if len(form) > rules.max_length:
        raise BadUrl("too long", url)
    if "%" in form:
        form = _TRIPLETS.sub(_normalize_triplets, form)
    if ("?" in form or ";" in form) and form.startswith("http"):
        form = _drop_parameters(form, make_parameter_test(rules))
    if rules is not DEFAULT_RULES and rules.rewrites and form.startswith("http"):
        form = _apply_options(form, rules)
    return form


def _parse(url: str, base: str | None, schemes: tuple[str, ...] = ()) -> str:
    """Resolve and parse a URL as browsers do; raise BadUrl if it is not the URL of a page."""
    if not url.isprintable():
        url = _clean(url)
    try:
        href = join_url(base, url) if base else normalize_url(url)
    except ValueError:
        # An invalid base must not affect absolute links.
        if not base or not URL.can_parse(url):
            raise BadUrl(_find_reason(url, bool(base)), url) from None
        href = normalize_url(url)
    if not href.startswith(("http://", "https://")):
        return _parse_other(href, schemes, url)
    if href.find("@", 0, href.index("/", 8)) >= 0:
        raise BadUrl("user info", url)
    return href


def _parse_other(href: str, schemes: tuple[str, ...], url: str) -> str:
    """Return a URL of another scheme with its host and port; raise BadUrl if the scheme is not allowed."""
    scheme = href.partition(":")[0]
    if scheme not in schemes:
        raise BadUrl("scheme", url)
    if scheme == "file":
        if not href.startswith(("file:///", _FILE)) or _ENCODED_SLASH.search(href):
            raise BadUrl("syntax", url)
        return _FILE + href.partition("#")[0].partition("?")[0].removeprefix(_FILE).removeprefix("file:///")
    authority, _, path = href.removeprefix(f"{scheme}://").partition("/")
    if "@" in authority:
        raise BadUrl("user info", url)
    if not href.startswith(f"{scheme}://") or not authority:
        raise BadUrl("no host", url)
    port = ":21" if scheme == "ftp" and not _PORT.search(authority) else ""
    return f"{scheme}://{authority.lower()}{port}/{path}"


def _clean(url: str) -> str:
    """Remove white space around a URL and tabs and newlines within, as browsers do; refuse other controls."""
    # Surrogates form a character or become U+FFFD, as in a browser.
    url = url.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    url = url.strip(_C0_AND_SPACE).translate(_TAB_AND_NEWLINE)
    if _CONTROL.search(url.partition("#")[0]):
        raise BadUrl("control characters", url)
    return url


def _find_reason(url: str, has_base: bool) -> BadUrlReason:
    """Return the reason why a URL does not parse."""
    scheme = _SCHEME.match(url)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return "scheme"
    authority = _AUTHORITY.match(url, scheme.end() if scheme else 0)
    if scheme or url.startswith(("/", "\\")):
        host_and_port = authority[1].rpartition("@")[2] if authority else ""
        if not host_and_port or host_and_port.startswith(":"):
            return "no host"
    return "syntax" if scheme or has_base else "scheme"


def _normalize_triplets(match: re.Match[str]) -> str:
    stray, triplets = match[1], match[2].upper()
    if stray:
        return stray + triplets
    return _TRIPLET.sub(lambda triplet: _UNRESERVED.get(triplet[0], triplet[0]), triplets)


def _drop_parameters(url: str, is_dropped: Callable[[str], bool]) -> str:
    """Remove parameters by name from path and query; remove the question mark if the query becomes empty."""
    path, mark, query = url.partition("?")
    if ";" in path:
        path_start = path.index("/", 8)  # a host may contain semicolons too
        shorter = path[:path_start] + _PATH_PARAMETER.sub(
            lambda parameter: "" if is_dropped(parameter[1]) else parameter[0], path[path_start:]
        )
        # "/..;sid=1/" must not become "/../", which is another directory.
        path = path if _DOT_SEGMENT.search(shorter) else shorter
    if query:
        pairs = [(pair, _strip_pair(pair, is_dropped)) for pair in query.split("&")]
        query = "&".join([kept for pair, kept in pairs if kept or not pair])
        mark = mark if query else ""
    return path + mark + query


def _strip_pair(pair: str, is_dropped: Callable[[str], bool]) -> str:
    """Return what remains of a pair: all, nothing, or `topic=2` of `PHPSESSID=1;topic=2`, as in old forums."""
    while is_dropped(pair.partition("=")[0]):
        pair = pair.partition(";")[2]
        if "=" not in pair:
            return ""
    return pair


def _apply_options(url: str, rules: UrlRules) -> str:
    """Apply the options that are off by default."""
    scheme, _, rest = url.partition("//")
    authority, _, path_and_query = rest.partition("/")
    path, mark, query = path_and_query.partition("?")
    path = "/" + path
    if rules.drop_www:
        authority = _drop_www(authority)
    before = ""
    while path != before:
        before = path
        if rules.drop_index_page:
            path = _INDEX_PAGE.sub("/", path)
        if rules.drop_end_slash:
            path = path.rstrip("/") or "/"
    return f"{scheme}//{authority}{path}{mark}{query}"


def _drop_www(authority: str) -> str:
    while authority.startswith("www.") and "." in authority[4:].partition(":")[0].strip("."):
        authority = authority[4:]
    return authority


def page_id(canonical: str) -> int:
    """Return the page id: the xxh3 fingerprint of the canonical URL as a signed 64-bit number."""
    fingerprint = xxh3_64_intdigest(canonical.encode())
    return fingerprint - (1 << 64) if fingerprint >> 63 else fingerprint


def host(url: str) -> str:
    """Return the host of a URL, with its port unless that is the default of the scheme."""
    href = url if _PLAIN_URL(url) else _parse(url, None, (*TYPED_RULES.schemes, url.partition("://")[0]))
    return href.split("/", 3)[2]


def origin(canonical: str) -> str:
    """Return the origin of a canonical URL, to which credentials belong: scheme, host and port."""
    return canonical[: canonical.index("/", canonical.index("//") + 2)]


def split_user_info(url: str) -> tuple[str, str]:
    """Return a URL without its user information, and that as `user:password`, decoded; "" if it has none."""
    if "@" not in url:
        return url, ""
    try:
        parsed = URL(url)
    except ValueError:
        return url, ""
    user, password = unquote(parsed.username), unquote(parsed.password)
    if not user and not password:
        return url, ""
    parsed.username = parsed.password = ""
    return parsed.href, f"{user}:{password}" if password or ":@" in url else user


def hide_user_info(url: str) -> str:
    """Return what may be shown of a URL, valid or not: everything before its last @ sign is replaced."""
    return _USER_INFO.sub(r"\1…@", url) if "@" in url else url


def spans_hosts(a: str, b: str) -> bool:
    """Return whether a link from page a to page b leaves the host (Schmitz 2001, section 3.2.1)."""
    return host(a) != host(b)


def spans_sites(a: str, b: str, rule: SiteRule = "suffix") -> bool:
    """Return whether a link from page a to page b leaves the site; it then leaves the host too."""
    return not is_same_site(host(a), host(b), rule)
