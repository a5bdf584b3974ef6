"""Let one script of ours into a page with a Content-Security-Policy, or find that its policy forbids it.

A nonce is added for our script, and nothing else is allowed. A policy that would become wider, or stricter, by that is left alone:

- `'unsafe-inline'` without a nonce or hash: a nonce would switch it off, and inline scripts of the page would no longer run;
- `'none'`: the page wants no scripts;
- frames: the cards are in a frame of another origin, which is never added to a policy.

Source: Content Security Policy Level 3, sections 6.7 and 6.8.
"""

_FRAMES = ("frame-src", "child-src", "default-src")
_SCRIPTS = ("script-src-elem", "script-src", "default-src")
_INLINE = "'unsafe-inline'"
_STRICT = "'strict-dynamic'"
_HASHES = ("'nonce-", "'sha256-", "'sha384-", "'sha512-")

Policy = list[tuple[str, list[str]]]


def admit_script(header: str, scheme: str, nonce: str) -> str | None:
    """Return a policy header that lets in a script of the page's own origin with this nonce, and frames of ours as before.

    Return the header itself if it needs no change, and None if the page must stay as it is. `scheme` is that of the page.
    """
    changed, policies = False, []
    for text in header.split(","):
        policy = _read_policy(text)
        if any(name == "sandbox" for name, _ in policy) or not _allows_frame(policy, scheme):
            return None
        admitted = _admit_into(policy, scheme, nonce)
        if admitted is None:
            return None
        changed = changed or admitted != policy
        policies.append(admitted)
    return ", ".join(map(_write_policy, policies)) if changed else header


def _read_policy(text: str) -> Policy:
    """Return the directives of a policy in order; of two with one name, only the first counts."""
    found: dict[str, list[str]] = {}
    for directive in text.split(";"):
        words = directive.split()
        if words and words[0].lower() not in found:
            found[words[0].lower()] = words[1:]
    return list(found.items())


def _write_policy(policy: Policy) -> str:
    return "; ".join(" ".join([name, *sources]) for name, sources in policy)


def _find(policy: Policy, names: tuple[str, ...]) -> tuple[str, list[str]] | None:
    """Return the directive that applies, by the order in which browsers fall back."""
    known = dict(policy)
    return next(((name, known[name]) for name in names if name in known), None)


def _allows_frame(policy: Policy, scheme: str) -> bool:
    found = _find(policy, _FRAMES)
    return found is None or any(source.lower() in ("*", f"{scheme}:") for source in found[1])


def _admit_into(policy: Policy, scheme: str, nonce: str) -> Policy | None:
    found = _find(policy, _SCRIPTS)
    if found is None:
        return policy
    name, sources = found
    lower = [source.lower() for source in sources]
    if _STRICT not in lower and any(source in ("'self'", "*", f"{scheme}:") for source in lower):
        return policy
    if not lower or lower == ["'none'"]:
        return None
    if _INLINE in lower and not any(source.startswith(_HASHES) for source in lower):
        return None
    wider = [*sources, f"'nonce-{nonce}'"]
    if (
        name == "default-src"
    ):  # styles and the rest fall back to it too, so scripts get a directive of their own
        return [*policy, ("script-src", wider)]
    return [(each, wider if each == name else given) for each, given in policy]
