"""The languages of a task's pages, and which pages and links are in a language that the task does not want.

Pages are judged by their text, not by what they declare. A page with too little running text to tell is kept, and its
links are followed; so are the links of start pages in any language. Links are judged by the pages of their host that
the shard has seen, and by their anchor text; a process that resumes a task learns this again.
"""

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.records import Link, Page
from gossamer.text.language import Model, detect
from gossamer.text.language.detection.page_language import page_language
from gossamer.text.language.language_codes import resolve_languages

# Below one in ten a link is not worth a visit: that is five pages of its host, all in other languages.
_LEAST_ODDS = 1 / 9
# The anchor text may be in the language of the target or of the page that it stands on.
_DOUBT = 0.15
_FEWEST_WORDS = 2


class _Host(msgspec.Struct):
    """How many pages of a host were in a wanted language, and in another."""

    wanted: int = 0
    others: int = 0

    @property
    def odds(self) -> float:
        """The odds that its next page is in a wanted language."""
        return (self.wanted + 0.5) / (self.others + 0.5)


_UNKNOWN_HOST = _Host()


class Languages:
    """Recognises the languages of one task's pages, and which are wanted: all, if the task names none."""

    def __init__(self, named: tuple[str, ...], model: Model | None = None) -> None:
        self._model = model or Model.load()
        self.wanted = frozenset(resolve_languages(named, self._model))
        usual = self._model.usual
        self._among = None if self.wanted <= set(usual) else (*usual, *sorted(self.wanted))
        self._hosts: dict[str, _Host] = {}
        self._refused_hosts: set[str] = set()

    def recognise(self, reading: Reading) -> Reading:
        """Return the reading with the language of its text, and count the language for its host."""
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
        """Say whether a page is in a language that is not wanted."""
        return bool(self.wanted and page.language) and page.language not in self.wanted

    def refuse_link(self, link: Link, host: str) -> str:
        """Say why a link probably leads to a language that is not wanted, or return ""."""
        known = self._hosts.get(host, _UNKNOWN_HOST)
        if not self.wanted or known.odds >= 1:
            return ""
        odds = known.odds * self._weigh_anchor_text(link.text)
        if odds >= _LEAST_ODDS:
            return ""
        pages = known.wanted + known.others
        return f"{known.wanted} of {pages} pages of its host so far are in {', '.join(sorted(self.wanted))}"

    def is_first_refusal(self, host: str) -> bool:
        """Say whether this is the first refused link to a host: then the reason is recorded."""
        is_first = host not in self._refused_hosts
        self._refused_hosts.add(host)
        return is_first

    def _weigh_anchor_text(self, text: str) -> float:
        if len(text.split()) < _FEWEST_WORDS:
            return 1.0
        candidates = detect(text, model=self._model).candidates
        if not candidates:
            return 1.0
        share = sum(one.share for one in candidates if one.language in self.wanted)
        return (share + _DOUBT) / (1 - share + _DOUBT)
