"""The plan of a page: what the world decides about it before any text is written.

The world (`world/plan_page.py`) fills a `PagePlan`; the writer (`writing/page_content.py`) turns it into words and
HTML. A page is a function of its plan alone: equal plans give equal bytes.

Rules for the writer:

- Each link is written exactly once, in the order of `PagePlan.links` within each place; `href` is written
  as given (escaped for HTML), never resolved or normalised.
- `type` says how a link is written: "a" as an anchor; "area" inside an image map (only when `image_map`);
  "frame" inside the frameset (only when `frameset`); "iframe" in the text; "refresh" as the meta refresh
  whose content is `PagePlan.refresh` (the link only repeats its target; the writer adds nothing else for it);
  "link" with its `rel` in the head; "form" as a form with method GET.
- On a `frameset` page every "frame" link is a frame, and all other links go into its noframes part.
"""

from typing import Literal

import msgspec

from gossamer.records import LinkType

Place = Literal["navigation", "text", "list", "footer", "head"]


class PlannedLink(msgspec.Struct, frozen=True, gc=False):
    """A link to be written on a page."""

    href: str
    """The link as written in the page: relative, with a session id, oddly spelt …"""
    url: str
    """The absolute canonical target."""
    type: LinkType = "a"
    place: Place = "text"
    topic: str = ""
    """Topic of the target, used for the anchor text; "" if unknown."""
    language: str = ""
    """Language of the target."""
    key: int = 0
    """Hash of the target page: its title and the anchor text both come from it, so anchors describe targets."""
    rel: str = ""
    image: bool = False
    """The anchor is an image with alternative text."""
    template: bool = False
    """The template of the host repeats the link on its pages."""


class PagePlan(msgspec.Struct, frozen=True):
    """Everything that the writer needs to know about a page."""

    url: str
    key: int
    """64-bit hash of seed and URL; determines all content."""
    language: str
    """BCP 47."""
    topic: str
    """Name of the topic, "" for none."""
    version: int
    """0, 1, 2 …: the main text changes with the version; navigation and title do not."""
    host_name: str
    """Shown in banner and boilerplate."""
    host_key: int
    links: tuple[PlannedLink, ...]
    paragraphs: int
    """Number of paragraphs of the main text."""
    base: str = ""
    """The base href; "" for none."""
    copy_of: int = 0
    """Key of the page that this page nearly copies: same title and text, a few words differ; 0 for none."""
    copy_edits: int = 0
    """How many words of a near copy differ; 0 for the same main text word for word (a mirror)."""
    frameset: bool = False
    image_map: bool = False
    refresh: str = ""
    """Content of a meta refresh, such as "5; url=next.html"; "" for none."""
    large_bytes: int = 0
    """Write at least this many bytes of HTML by adding paragraphs."""
    encoding: str = "UTF-8"
    """The real encoding: the world encodes `WrittenPage.html` with it (unencodable characters as character
    references)."""
    declared_encoding: str = "UTF-8"
    """The charset that the page declares in its meta element."""
    robots_meta: str = ""
    """Content of a robots meta; "" for none."""
    declared_language: str | None = None
    """The language that the page declares, "" for none; None for the true language."""
    canonical: str = ""
    """The href of a link rel=canonical; "" for none."""
    published: str = ""
    """The time of publication that the page states; "" for none."""
    stories: tuple[tuple[str, ...], ...] = ()
    """The words of each story that the page tells, a paragraph each."""
