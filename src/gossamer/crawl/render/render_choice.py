"""Decide for each page whether it is shown in a browser: by its signs, what rendering gained before, and a budget.

Pages of one host with the same sign and the same shape of address are one kind. The first pages of a likely kind are
tried; a kind that gained is rendered on, and one that did not is tried again ever more seldom. Trials of doubtful kinds are
paid by what rendering gained on other pages: half of all articles have scripts that look doubtful, and a web that needs no
browser must not cost more for them.
"""

import re
from collections import OrderedDict

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.render.page_signs import NO_SIGNS, PageSigns, find_signs, shows_text_and_links

TRIALS = 2
"""How many pages of a doubtful kind are tried. Of pages with little text or few links, so many are tried before any gain."""
GAINS_FOR_A_TRIAL = 3
"""For each so many pages that gained, one more doubtful page may gain nothing."""
PAGES_FOR_A_TRIAL = 5_000
"""And for each so many pages, another one: a rendered page takes about a hundred times as long as others."""
LIKELY_TRIALS = 4
"""How many pages of a likely kind may gain nothing before it counts as one that does not."""
MISLED_AFTER = 8
"""After so many pages with a sign, of which fewer than one in ten gained, one page of each further kind is tried."""
RETRY_AFTER = 50
"""After so many pages, and each time after twice as many, a likely kind that gained nothing is tried again."""
FREE_PAGES = 10
"""How many pages may be rendered before the budget counts: a crawl that has just begun has no share to speak of."""
NEW_LINKS = 0.02
"""By which share of its links a page has to gain: --render auto is to find 98 % of all links."""
MORE_WORDS = 1.2
_MOST_KINDS = 20_000
_NUMBERS = re.compile(r"\d+")
_SHOWN_SEGMENTS = 2


class Choice(msgspec.Struct, frozen=True):
    """Whether a page is shown in a browser, and why."""

    render: bool
    why: str
    kind: str = ""
    signs: PageSigns = NO_SIGNS
    lacks_budget: bool = False
    """Whether it would be shown if the budget of rendered pages were larger."""


_NO_NEED = Choice(False, "")


class _Trials(msgspec.Struct):
    """How often rendering was tried, and gained something."""

    tried: int = 0
    gained: int = 0
    under_way: int = 0

    @property
    def pays(self) -> bool:
        """Whether it gained often enough to go on."""
        return bool(self.gained) and self.gained * 10 >= self.tried


class _Kind(_Trials):
    seen: int = 0
    retry_at: int = RETRY_AFTER


class RenderChoice:
    """What one task has learnt about kinds of pages. Bounded: the kinds that were used last are remembered."""

    def __init__(self) -> None:
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()
        self._likely: dict[str, _Trials] = {}
        """By likely sign."""
        self._doubtful = _Trials()
        self._gained = 0
        self.pages = 0
        self.rendered = 0

    def choose(self, reading: Reading, body: bytes, share: float) -> Choice:
        """Decide about a page that was fetched and read; `share` is the budget."""
        self.pages += 1
        is_full = shows_text_and_links(reading)
        if is_full and not self._doubtful.gained and not self._may_try_doubtful(is_full):
            return _NO_NEED  # without a look for scripts, which takes a tenth of the time of reading a page
        signs = find_signs(reading, body)
        if signs.need == "none":
            return _NO_NEED
        name = f"{reading.page.host} {signs.reason} {describe_shape(reading.page.url)}"
        kind = self._get(name)
        kind.seen += 1
        choice = self._judge(kind, signs, name, is_full)
        if not choice.render:
            return choice
        if self.rendered >= FREE_PAGES + share * self.pages:
            why = f"{signs.reason}; the budget of rendered pages is spent (--render-share)"
            return Choice(False, why, name, lacks_budget=True)
        self.rendered += 1
        for each in (kind, self._of_sign(signs)):
            each.under_way += 1
        return choice

    def learn(self, choice: Choice, before: Reading, after: Reading | None) -> None:
        """Learn from a page that was rendered, or could not be: `after` is what it was then."""
        gained = after is not None and has_gained(before, after)
        self._gained += gained
        for each in (self._get(choice.kind), self._of_sign(choice.signs)):
            each.under_way = max(0, each.under_way - 1)
            if after is not None:
                each.tried += 1
                each.gained += gained

    def _judge(self, kind: _Kind, signs: PageSigns, name: str, is_full: bool) -> Choice:
        """Decide about a page by its kind and its signs; the budget is another matter."""
        if kind.pays:
            why = f"{signs.reason}; rendering gained on {kind.gained} of {kind.tried} pages like it"
            return Choice(True, why, name, signs)
        if signs.need == "likely":
            return self._judge_likely(kind, signs, name)
        if kind.tried + kind.under_way >= TRIALS:
            return Choice(False, f"{signs.reason}; rendering gained nothing on pages like it", name)
        if not self._may_try_doubtful(is_full):
            return Choice(False, f"{signs.reason}; rendering gained too little to try such pages", name)
        return Choice(True, f"{signs.reason}; a trial", name, signs)

    def _judge_likely(self, kind: _Kind, signs: PageSigns, name: str) -> Choice:
        sign = self._of_sign(signs)
        misleads = sign.tried >= MISLED_AFTER and not sign.pays
        if kind.tried + kind.under_way < 1 if misleads else kind.tried < LIKELY_TRIALS:
            return Choice(True, signs.reason, name, signs)
        if kind.seen >= kind.retry_at:
            kind.retry_at = 2 * kind.seen
            return Choice(True, f"{signs.reason}; another trial", name, signs)
        return Choice(False, f"{signs.reason}; rendering gained nothing on pages like it", name)

    def _may_try_doubtful(self, is_full: bool) -> bool:
        """Say whether another doubtful page may be shown though it may gain nothing."""
        lost = self._doubtful.tried - self._doubtful.gained + self._doubtful.under_way
        free = 0 if is_full else TRIALS
        return lost < free + self._gained // GAINS_FOR_A_TRIAL + self.pages // PAGES_FOR_A_TRIAL

    def _of_sign(self, signs: PageSigns) -> _Trials:
        if signs.need == "doubtful":
            return self._doubtful
        return self._likely.setdefault(signs.reason, _Trials())

    def _get(self, name: str) -> _Kind:
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = _Kind()
            if len(self._kinds) > _MOST_KINDS:
                self._kinds.popitem(last=False)
        else:
            self._kinds.move_to_end(name)
        return kind


def has_gained(before: Reading, after: Reading) -> bool:
    """Say whether rendering brought links that were not there, or clearly more text."""
    known = {link.url for link in before.links}
    new = sum(link.url not in known for link in after.links)
    return new > NEW_LINKS * len(known) or after.page.words > MORE_WORDS * before.page.words + 5


def describe_shape(url: str) -> str:
    """Return what addresses of one kind have in common: the first parts of the path without numbers, and its length."""
    path = url.partition("://")[2].partition("?")[0].partition("#")[0]
    parts = path.split("/")[1:]
    shown = "/".join(_NUMBERS.sub("#", part) for part in parts[:-1][:_SHOWN_SEGMENTS])
    return f"/{shown} {len(parts)}"
