"""A line that a plug-in adds to a card or a panel."""

import msgspec


class PluginLine(msgspec.Struct, frozen=True):
    """A line of plain text, and who says it."""

    plugin: str
    text: str
