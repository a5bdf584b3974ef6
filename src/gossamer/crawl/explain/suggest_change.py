"""Say what would have to change for a task to fetch or keep a URL."""

from gossamer.crawl.explain.explain_url import InTask

_RULES = {
    "scope": "widen the scope (`--scope`), or submit it as a start page",
    "depth": "raise the depth limit (`--depth`), or submit it as a start page",
    "include": "add an include pattern that matches it (`--include`)",
    "exclude": "remove the exclude pattern (`--exclude`)",
    "include_hosts": "add an include-hosts pattern that matches its host (`--include-hosts`)",
    "exclude_hosts": "remove the exclude-hosts pattern (`--exclude-hosts`)",
    "nofollow": "another page has to link to it without rel=nofollow; submit it, or turn the rule off (`--no-nofollow`)",
    "nofollow page": "another page has to link to it; submit it, or turn the rule off (`--no-nofollow`)",
    "content seen": "another page has to link to it; submit it, or turn the rule off (`--no-content-seen`)",
    "trap": "submit it as a start page, or turn the detection of endless URL spaces off (`--no-traps`)",
    "per_host": "raise the page limit of each host (`--per-host`)",
    "dead host": "its host has to answer again; then `gossamer submit` it",
    "redirects": "its server has to redirect less often; submit the last target",
    "bad redirect": "its server has to redirect to a valid URL",
    "language": "add its language to those of the task (`--language`)",
    "sitemaps": "submit it as a start page",
    "kinds": "add its kind to those that the task keeps (`--kinds`)",
    "focus": "a page about the topic has to link to it; or submit it as a start page",
    "robots": "its host has to allow it in robots.txt; ask its webmaster",
    "robots unreachable": "its host has to serve robots.txt again, or answer 404 for it",
    "private address": "allow its network (`--allow-private`)",
    "folder": "allow its folder (`--allow-files`)",
    "bad url": "the page that links to it has to name a valid URL",
    "dns": "the name of its host has to have an address; check the spelling and your name server",
    "connect": "its host has to accept connections",
    "tls": "its host needs a valid certificate",
    "timeout": "its host has to answer sooner, or allow more time (`--page-time`)",
    "reset": "its host has to answer without closing the connection",
    "too_large": "allow larger pages (`--page-bytes`)",
    "protocol": "its host has to speak HTTP",
    "withdrawn": "submit it again",
    "forgotten": "allow it again (`gossamer forget --undo`)",
    "internal": "this is a bug in Gossamer; please report it",
    "status": "its server has to answer without an error; `gossamer submit` tries again",
    "retry": "nothing: it is tried again after a pause",
}
"""By the rule or cause that decided."""
_STATES = {
    "paused": "continue the task (`gossamer resume`)",
    "stopped": "continue the task (`gossamer resume`)",
    "finished": "raise the limit at which the task ended (`gossamer change`), then continue it (`gossamer resume`)",
}
_DECIDED = ("refused", "failed", "not kept", "given up", "not followed")


def suggest_change(task: InTask) -> str:
    """Return what would have to change for a task to fetch or keep a URL; "" if there is nothing to change."""
    if task.verdict == "waiting":
        return _STATES.get(task.state, _RULES["retry"] if task.rule == "retry" else "nothing: its turn comes")
    if task.verdict == "not found":
        against = _RULES.get(task.rule, "")
        return f"submit it as a start page{f'; by links alone: {against}' if against else ', or link to it'}"
    if task.verdict not in _DECIDED:
        return ""
    if task.rule.isdecimal():
        return _RULES["status"]
    return _RULES.get(task.rule, f"the filter {task.rule!r} has to let it through")
