"""Describe why a link was not followed, or why a page was refused or failed."""

RULES = {
    "scope": "outside the task's scope",
    "depth": "too many links away from a start page",
    "include": "no include pattern matches it",
    "exclude": "an exclude pattern matches it",
    "include_hosts": "no include-hosts pattern matches its host",
    "exclude_hosts": "an exclude-hosts pattern matches its host",
    "nofollow": "the link has rel=nofollow",
    "nofollow page": "the page with the link asks robots not to follow its links",
    "content seen": "the page with the link has the same text as another page",
    "trap": "part of an endless URL space",
    "per_host": "its host has reached its page limit",
    "dead host": "its host does not answer",
    "redirects": "too many redirects in a row",
    "bad redirect": "the target of the redirect is not a valid URL",
    "language": "not in a language of the task",
    "sitemaps": "beyond the limits for sitemaps: nested too deeply, or too many of one host",
    "kinds": "not a kind of content that the task keeps",
    "forgotten": "it was forgotten on request, and is not collected again",
}
"""Why a link is not followed, by the name of the rule."""

CAUSES = {
    "robots": "robots.txt forbids it",
    "robots unreachable": "robots.txt cannot be fetched, so nothing may be fetched",
    "private address": "its address is not public (--allow-private permits private networks)",
    "folder": "it is not in a folder that may be read (--allow-files names them)",
    "bad url": "this is not a valid URL of a page",
    "dns": "its host has no address",
    "connect": "its host refuses connections or cannot be reached",
    "tls": "the certificate or encryption of its host is not valid",
    "timeout": "no answer in time",
    "reset": "the connection was reset",
    "too_large": "larger than the limits allow",
    "protocol": "the answer is not HTTP",
    "withdrawn": "it was submitted, and withdrawn before it was requested",
    "internal": "an internal error of Gossamer",
    "status": "the server answered with an error status",
}
"""Why a page was refused or failed, by the name of the cause."""


def describe_cause(cause: str) -> str:
    """Return a description of a rule, a cause or an HTTP status; a custom filter keeps its own name."""
    if cause.isdecimal():
        return f"the server answered {cause}"
    return RULES.get(cause) or CAUSES.get(cause) or f"by {cause!r}"


def describe_detail(detail: str) -> str:
    """Return what a visit noted of its end, with its cause in words: `status: 404`, `reset: Recv failure`."""
    cause, _, rest = detail.partition(": ")
    if cause not in CAUSES:
        return detail
    if cause == "status" and rest.isdecimal():
        return describe_cause(rest)
    return f"{CAUSES[cause]}: {rest}" if rest else CAUSES[cause]
