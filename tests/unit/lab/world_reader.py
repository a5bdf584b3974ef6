"""Functions that send requests to a world, and a simple, independent reader of its pages."""

from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.world.ground_truth import PageTruth
from gossamer.lab.world.world import World
from gossamer.net.url import canonical

LINK_ATTRIBUTES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}


def ask(
    world: World, url: str, now_s: float = 0.0, method: str = "GET", headers: dict[str, str] | None = None
) -> LabAnswer:
    parts = urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    return world.answer(LabRequest(method, parts.netloc, target, headers or {}), now_s)


def header(answer: LabAnswer, name: str) -> str:
    return dict(answer.headers).get(name, "")


def truth(world: World, url: str, now_s: float = 0.0) -> PageTruth:
    page = world.page(url, now_s)
    assert page is not None
    return page


def links_in(html: str, url: str) -> set[tuple[str, str]]:
    """Return the links of a page as type and canonical URL, read in the simplest way."""
    tree = LexborHTMLParser(html)
    base = url
    if (node := tree.css_first("base")) is not None:
        base = urljoin(url, node.attributes["href"] or "")
    found = set()
    for tag, attribute in LINK_ATTRIBUTES.items():
        for node in tree.css(tag):
            if href := node.attributes.get(attribute):
                found.add((tag, canonical(href, base)))
    for node in tree.css("meta"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh":
            target = (node.attributes.get("content") or "").partition("url=")[2]
            found.add(("refresh", canonical(target, base)))
    return found


def words(text: str) -> list[str]:
    return text.split()
