"""What the world decides about a page before a word of it is written: the records between shape and content.

The world (`world.py`) fills a `PagePlan`; the writer (`content.py`) turns it into words and HTML. A page is
a function of its plan alone: equal plans give equal bytes.

For the writer:

- Links are written exactly once each, in the order of `PagePlan.links` within each place; `href` is written
  as it stands (escaped for HTML), never resolved or tidied.
- `type` says how a link is written: "a" as an anchor; "area" inside an image map (only when `image_map`);
  "frame" inside the frameset (only when `frameset`); "iframe" in the text; "refresh" as the meta refresh
  whose content is `PagePlan.refresh` (the link repeats its target, nothing else is to be written for it);
  "link" with its `rel` in the head; "form" as a form with method GET.
- On a `frameset` page every "frame" link is a frame, and all other links stand in its noframes part.
"""

from typing import Literal

import msgspec

from gossamer.records import LinkType

Place = Literal["navigation", "text", "list", "footer", "head"]


class PlannedLink(msgspec.Struct, frozen=True, gc=False):
    """A link that is to stand on a page."""

    href: str
    """What stands in the page: relative, with a session id, oddly spelt …"""
    url: str
    """The absolute canonical target."""
    type: LinkType = "a"
    place: Place = "text"
    topic: str = ""
    """Topic of the target, for its anchor text; "" if unknown."""
    language: str = ""
    """Language of the target."""
    key: int = 0
    """Hash of the target page: anchor words and its title both come from it, so anchors describe targets."""
    rel: str = ""
    image: bool = False
    """The anchor is an image with alternative text."""


class PagePlan(msgspec.Struct, frozen=True):
    """All that the writer needs to know of a page."""

    url: str
    key: int
    """64-bit hash of seed and URL: all content follows from it."""
    language: str
    """BCP 47."""
    topic: str
    """Name of the topic, "" for none."""
    version: int
    """0, 1, 2 …: the main text changes with it, navigation and title stay."""
    host_name: str
    """For banner and boilerplate."""
    host_key: int
    links: tuple[PlannedLink, ...]
    paragraphs: int
    """Size of the main text."""
    base: str = ""
    """A base href to write."""
    copy_of: int = 0
    """Key of the page of which this is a near copy: same title and text, a few words differ; 0 for none."""
    copy_edits: int = 0
    """How many words of a near copy differ; 0 is the same main text word for word (a mirror's page)."""
    frameset: bool = False
    image_map: bool = False
    refresh: str = ""
    """Content of a meta refresh, such as "5; url=next.html"; "" for none."""
    large_bytes: int = 0
    """Write at least so many bytes of HTML, by more paragraphs."""
    encoding: str = "UTF-8"
    """What the bytes will really be encoded in; the world encodes `Written.html` with it (unencodable
    characters as character references)."""
    declared_encoding: str = "UTF-8"
    """What the meta charset says."""
    robots_meta: str = ""
    """Content of a robots meta; "" for none."""
    declared_language: str | None = None
    """What the page says of its language, "" for nothing; None for the truth."""
    canonical: str = ""
    """The href of a link rel=canonical; "" for none."""
