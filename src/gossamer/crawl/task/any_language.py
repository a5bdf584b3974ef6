"""The languages of a task that reads no texts: every page is wanted, whatever its language."""

from gossamer.crawl.read_page import Reading
from gossamer.records import Link, Page


class AnyLanguage:
    """Stands where `Languages` stands for a task that reads texts; loads no model."""

    wanted: frozenset[str] = frozenset()

    def recognise(self, reading: Reading) -> Reading:
        """Return the reading as it is."""
        return reading

    def is_foreign(self, _page: Page) -> bool:
        """Say that no page is in an unwanted language."""
        return False

    def refuse_link(self, _link: Link, _host: str) -> str:
        """Say that no link is refused."""
        return ""

    def is_first_refusal(self, _host: str) -> bool:
        """Say that no link is refused."""
        return False
