"""Different spellings of a link: relative, absolute, with a fragment, with odd escapes, with a session id.

Every spelling has the same canonical form.
"""

from gossamer.lab.seeded_random import mix, salt

_SPELLING, _SESSION = salt("spelling of links"), salt("session ids")
_SESSIONS = (";jsessionid={:016X}", "PHPSESSID={:016x}", "sid={:016x}")


_SAME_HOST = {
    11: "{url}",
    12: "{url}",
    13: "{path}#part",
    14: "/here/..{path}",
    15: "/%{letter:02x}{rest}",
}
"""Spellings of links inside a host that are neither relative nor plain paths, by turn."""
_OTHER_HOST = {13: "//{host}{path}", 14: "HTTP://{loud}{path}", 15: "{url}#top"}
"""Odd spellings of links to other hosts, by turn."""
_RELATIVE_TURNS = 6


def spell(url: str, base: str, key: int) -> str:
    """Return a spelling of a URL for a page whose links are resolved against `base`."""
    turn = mix(key, _SPELLING) % 16
    origin, path = split_origin(url)
    base_origin, base_path = split_origin(base)
    if origin != base_origin:
        host = origin.removeprefix("http://")
        return _OTHER_HOST.get(turn, "{url}").format(url=url, host=host, loud=host.upper(), path=path)
    if turn < _RELATIVE_TURNS:
        return make_relative(path, base_path)
    if path == "/":
        return path
    return _SAME_HOST.get(turn, "{path}").format(url=url, path=path, letter=ord(path[1]), rest=path[2:])


def split_origin(url: str) -> tuple[str, str]:
    """Split a URL into origin (scheme and host) and path with query."""
    slash = url.index("/", 8)
    return url[:slash], url[slash:]


def make_relative(path: str, base_path: str) -> str:
    """Return a path relative to the page or directory `base_path`."""
    *base_folders, _ = base_path.partition("?")[0].split("/")
    bare, mark, query = path.partition("?")
    *folders, name = bare.split("/")
    shared = 0
    while shared < min(len(folders), len(base_folders)) and folders[shared] == base_folders[shared]:
        shared += 1
    up = "../" * (len(base_folders) - shared)
    down = "/".join((*folders[shared:], name))
    return (up + down or "./") + mark + query


def add_session(href: str, key: int) -> str:
    """Add a session id that follows from the key; the canonical form does not contain it."""
    drawn = mix(key, _SESSION)
    session = _SESSIONS[drawn % len(_SESSIONS)].format(drawn)
    address, hash_, fragment = href.partition("#")
    path, mark, query = address.partition("?")
    if session.startswith(";"):
        return f"{path}{session}{mark}{query}{hash_}{fragment}"
    return f"{path}?{query}{'&' if query else ''}{session}{hash_}{fragment}"
