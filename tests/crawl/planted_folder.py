"""The planted site as a folder of files, and what of it only a server can have."""

import re
from pathlib import Path

from tests.crawl.planted_site import Planted, PlantedSite

SERVER_ONLY = (
    *("/gone", "/error", "/forbidden", "/slow-down", "/loop-1", "/moved", "/chain-1", "/private/page"),
)
"""Statuses, redirects and robots.txt: no file has these, so files link to them on the server."""
DISK_ONLY: Planted = {("orphan", "/unlisted.html", "/unlisted.html")}
"""A page that nothing links to and no sitemap lists: a crawl cannot know of it."""
_ADDRESS = re.compile(rb"(?<=[\"'(>}])(/[a-z][a-z0-9/-]*)(?=[\"'#)<])")


def name_files(site: PlantedSite) -> PlantedSite:
    """Return the site with names of files: each page ends in .html, and the page that only a disk shows is there."""
    pages = {path for path, (status, headers, _) in site.answers.items() if status == 200 and headers["Content-Type"] == "text/html" and path != "/"}  # fmt: skip

    def name(path: str) -> str:
        bare, mark, fragment = path.partition("#")
        return f"{bare}.html{mark}{fragment}" if bare in pages else path

    named = PlantedSite()
    named.answers = {}
    for path, (status, headers, body) in site.answers.items():
        if "Location" in headers:
            headers = {**headers, "Location": name(headers["Location"])}
        changed = _ADDRESS.sub(lambda found: name(found[1].decode()).encode(), body)
        named.answers[name(path)] = status, headers, changed
    named.planted = {(problem, name(target), name(source)) for problem, target, source in site.planted}
    named.add("/unlisted.html", "<!DOCTYPE html><title>Unlisted</title><p>x</p>")
    return named


def write_folder(site: PlantedSite, folder: Path, origin: str) -> None:
    """Write what a server would show as files; what only a server has is linked to on the server."""
    for path, (status, _, body) in site.answers.items():
        if status == 200:
            file = folder / ("index.html" if path == "/" else path.removeprefix("/"))
            body = body.replace(b"{origin}", b"https://www.published.example")
            for only in SERVER_ONLY:
                body = body.replace(f'"{only}"'.encode(), f'"{origin}{only}"'.encode())
            file.write_bytes(body)
