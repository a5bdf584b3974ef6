"""The languages of a task's pages; and, where it wants only some, which pages and which links are in another one.

Pages are judged by their text, whatever they declare. A page with too little running text to tell is kept, and its links
are followed; so are the links of start pages, whatever language these are in. Links are judged by what is known of their
host and by their own words, as far as a shard has seen pages of the host: a process that goes on with a task learns anew.
"""

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.records import Link, Page
from gossamer.text.language import Model, detect
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.language_codes import resolve_languages

# Below one in ten, a link is not worth a visit: that is five pages of its host, and all of them in other languages.
_LEAST_ODDS = 1 / 9
# Words of a link speak for the page that it leads to, or for the one that it stands on.
_DOUBT = 0.15
_FEWEST_WORDS = 2


class _Host(msgspec.Struct):
    """How many pages of a host were in a wanted language, and in another."""

    wanted: int = 0
    others: int = 0

    @property
    def odds(self) -> float:
        """How likely its next page is in a wanted language, against another."""
        return (self.wanted + 0.5) / (self.others + 0.5)


_UNKNOWN_HOST = _Host()


class Languages:
    """Recognises the pages of one task, and knows which of them it wants: all, if it was told no languages."""

    def __init__(self, told: tuple[str, ...], model: Model | None = None) -> None:
        self._model = model or Model.load()
        self.wanted = frozenset(resolve_languages(told, self._model))
        usual = self._model.usual
        self._among = None if self.wanted <= set(usual) else (*usual, *sorted(self.wanted))
        self._hosts: dict[str, _Host] = {}
        self._told_of: set[str] = set()

    def recognise(self, reading: Reading) -> Reading:
        """Return what was read with the language that its text is in, and remember that of its host."""
        page = reading.page
        if not page.language and reading.document is not None:
            language = page_language(reading.document.text, self._model, self._among)
            page = msgspec.structs.replace(page, language=language)
            reading = msgspec.structs.replace(reading, page=page)
        if self.wanted and page.language:
            host = self._hosts.setdefault(page.host, _Host())
            if page.language in self.wanted:
                host.wanted += 1
            else:
                host.others += 1
        return reading

    def is_foreign(self, page: Page) -> bool:
        """Say whether a page is in another language than the wanted ones."""
        return bool(self.wanted and page.language) and page.language not in self.wanted

    def refuse_link(self, link: Link, host: str) -> str:
        """Say why a link leads to a page in another language most likely, or return ""."""
        known = self._hosts.get(host, _UNKNOWN_HOST)
        if not self.wanted or known.odds >= 1:
            return ""
        odds = known.odds * self._odds_by_words(link.text)
        if odds >= _LEAST_ODDS:
            return ""
        pages = known.wanted + known.others
        return f"{known.wanted} of {pages} pages of its host so far are in {', '.join(sorted(self.wanted))}"

    def is_first_refusal(self, host: str) -> bool:
        """Say whether a link to a host is the first that is not followed: then the reason is written down."""
        is_first = host not in self._told_of
        self._told_of.add(host)
        return is_first

    def _odds_by_words(self, text: str) -> float:
        if len(text.split()) < _FEWEST_WORDS:
            return 1.0
        candidates = detect(text, model=self._model).candidates
        if not candidates:
            return 1.0
        share = sum(one.share for one in candidates if one.language in self.wanted)
        return (share + _DOUBT) / (1 - share + _DOUBT)
