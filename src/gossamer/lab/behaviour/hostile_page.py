"""Make pages that are built against their reader: they repeat a few tags that make a parser copy elements or attributes."""

UNITS = {
    "fonts": "<p><font size={}>",
    "bodies": "<body a{}=1>",
    "roots": "<html a{}=1>",
    "cells": "<table><td><b a{}><p>",
    "links": "<a href=x a{} b c d e f g h i j><p>x",
    "drawings": "<svg><style><p><font size={}>",
    "unclosed": "<table></b></table><p><b id={}>",
    "nested": "<div><ul><li><i class={}>",
    "selected": "<select><button><selectedcontent></selectedcontent></button><option selected>{}",
}
"""What such pages repeat; the braces stand for a running number."""
_TEXT = "text " * 80
_PIECE_CHARACTERS = 8_000


def make_hostile_page(unit: str, least_characters: int) -> bytes:
    """Repeat a unit with running numbers; text before every piece of 8,000 characters makes the page look harmless to samples."""
    pieces, number, length = [], 0, 0
    while length < least_characters:
        piece = _TEXT
        while len(piece) < _PIECE_CHARACTERS:
            piece += unit.format(number)
            number += 1
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces).encode()
