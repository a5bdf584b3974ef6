"""The histories of a server: one for each user, invisible to other users."""

from collections.abc import Mapping
from pathlib import Path

from gossamer.errors import BadInput
from gossamer.navigate.history.history_folder import find_history_file
from gossamer.ui.access.authenticator import Authenticator

OFF = "this server keeps no history; start it with `gossamer serve --history`"
_NAMELESS = (
    "other machines can reach this server, and visitors without a name share it: a history needs a user of its own "
    "(`gossamer users add NAME`)"
)


class Histories:
    """Finds the history of the user of a request."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def find(self, authenticator: Authenticator, name: str, headers: Mapping[str, str]) -> Path:
        """Return the file of a user; raise `BadInput` for a visitor without a name whom others could be."""
        if name:
            return find_history_file(name, authenticator.get_created(name), self._folder)
        if not authenticator.is_here(headers):
            raise BadInput(_NAMELESS)
        return find_history_file(folder=self._folder)
