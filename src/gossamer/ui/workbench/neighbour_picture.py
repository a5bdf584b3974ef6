"""The picture of a page between the pages that link to it and those that it links to: where everything is drawn."""

from collections.abc import Sequence

import msgspec

from gossamer.printable_text import clean_text
from gossamer.ui.workbench.read_neighbours import Neighbour

_MOST = 12
_WIDTH, _ROW, _EDGE = 900, 30, 24
_LEFT, _MIDDLE, _RIGHT = 300, 450, 600
_LABEL_CHARS = 38


class PictureNode(msgspec.Struct, frozen=True):
    """A page in the picture."""

    url: str
    label: str
    name: str
    """What is shown when the pointer is on it."""
    x: int
    y: float
    curve: str
    """The path of its link, as SVG writes it."""
    is_page: bool
    is_repeated: bool
    """Whether a template repeats the link."""
    is_answered: bool


class NeighbourPicture(msgspec.Struct, frozen=True):
    """The picture, in units of an SVG drawing."""

    width: int
    height: int
    middle: PictureNode
    left: list[PictureNode]
    right: list[PictureNode]
    left_out: int
    """How many of the given pages there was no place for."""


def draw_neighbours(
    name: str, incoming: Sequence[Neighbour], outgoing: Sequence[Neighbour]
) -> NeighbourPicture:
    """Place the best pages of both sides in columns, with the page itself between them."""
    rows = max(min(len(incoming), _MOST), min(len(outgoing), _MOST), 1)
    height = 2 * _EDGE + _ROW * rows
    middle_y = height / 2
    left = [
        _place(
            one,
            _LEFT,
            y,
            f"M{_LEFT + 8} {y:g} C{_LEFT + 80} {y:g} {_MIDDLE - 80} {middle_y:g} {_MIDDLE - 12} {middle_y:g}",
        )
        for one, y in _spread(incoming, middle_y)
    ]
    right = [
        _place(
            one,
            _RIGHT,
            y,
            f"M{_MIDDLE + 12} {middle_y:g} C{_MIDDLE + 80} {middle_y:g} {_RIGHT - 80} {y:g} {_RIGHT - 8} {y:g}",
        )
        for one, y in _spread(outgoing, middle_y)
    ]
    shown = clean_text(name, _LABEL_CHARS)
    middle = PictureNode("", shown, clean_text(name, 200), _MIDDLE, middle_y, "", True, False, False)
    left_out = len(incoming) + len(outgoing) - len(left) - len(right)
    return NeighbourPicture(_WIDTH, height, middle, left, right, left_out)


def _spread(neighbours: Sequence[Neighbour], middle_y: float) -> list[tuple[Neighbour, float]]:
    shown = neighbours[:_MOST]
    first = middle_y - _ROW * (len(shown) - 1) / 2
    return [(one, first + _ROW * at) for at, one in enumerate(shown)]


def _place(one: Neighbour, x: int, y: float, curve: str) -> PictureNode:
    repeated = one.link is not None and one.link.repeated
    label = clean_text(one.title or _shorten_url(one.url), _LABEL_CHARS)
    return PictureNode(
        one.url, label, clean_text(one.url, 200), x, y, curve, one.is_page, repeated, one.is_answered
    )


def _shorten_url(url: str) -> str:
    """Return a URL without its scheme; a long one loses its middle, since URLs of one host differ at the end."""
    bare = url.partition("://")[2] or url
    return bare if len(bare) <= _LABEL_CHARS else f"{bare[:16]}…{bare[-(_LABEL_CHARS - 17) :]}"
