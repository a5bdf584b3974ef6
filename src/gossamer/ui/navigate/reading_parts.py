"""What a server does for readers of the live web: the parts that the person who runs it has turned on."""

from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from gossamer.navigate.reading_plugins import ReadingPlugins
from gossamer.ui.navigate.histories import Histories
from gossamer.ui.navigate.look_up_sorter import LookUpSorter
from gossamer.ui.navigate.saved_page_taker import SavedPageTaker

if TYPE_CHECKING:  # loads libcurl
    from gossamer.navigate.previews.preview_maker import PreviewMaker


class ReadingParts(msgspec.Struct, frozen=True):
    """The parts that are turned on."""

    previews: "PreviewMaker | None" = None

    histories: Histories | None = None
    saves: SavedPageTaker | None = None
    sorter: LookUpSorter | None = None
    plugins: ReadingPlugins = msgspec.field(default_factory=lambda: ReadingPlugins(()))

    @property
    def features(self) -> tuple[str, ...]:
        """What an extension may show, in the words of the API."""
        found = {
            "previews": self.previews is not None,
            "history": self.histories is not None,
            "saves": self.saves is not None and self.saves.can_save,
        }
        return tuple(name for name, is_on in found.items() if is_on)

    async def close(self) -> None:
        """Close connections, and end what runs in the background."""
        if self.previews is not None:
            await self.previews.close()
        if self.saves is not None:
            await run_in_threadpool(self.saves.close)
        if self.sorter is not None:
            self.sorter.close()


def get_reading(request: Request) -> ReadingParts:
    """Return the parts of the server that handles a request."""
    found: ReadingParts = request.app.state.reading
    return found
