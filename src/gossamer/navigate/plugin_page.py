"""Pages that plug-ins of readers serve: what they are asked for, and what they return."""

from collections.abc import Mapping

import msgspec


class PluginRequest(msgspec.Struct, frozen=True):
    """What a reader asks a plug-in for, at `/plugins/NAME/PATH?parameters`."""

    path: str
    """After the name of the plug-in; "" for its first page."""
    parameters: Mapping[str, str]
    user: str
    """Who asks; "" on a server without users."""


class PluginPage(msgspec.Struct, frozen=True):
    """A page of a plug-in: a whole HTML document, whose scripts do not run, or another file."""

    content: str | bytes
    media_type: str = "text/html; charset=utf-8"
