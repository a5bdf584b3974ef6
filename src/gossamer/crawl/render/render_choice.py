"""Decide for each page whether it is shown in a browser: by its signs, what rendering gained before, and a budget.

Pages of one host with the same sign and the same shape of address are one kind. The first pages of a doubtful kind are
tried; a kind that gained is rendered on, and one that did not is tried again now and then.
"""

import re
from collections import OrderedDict

import msgspec

from gossamer.crawl.read_page import Reading
from gossamer.crawl.render.page_signs import PageSigns, find_signs

TRIALS = 2
"""How many pages of a doubtful kind are tried."""
LIKELY_TRIALS = 4
"""How many pages of a likely kind may gain nothing before it counts as one that does not."""
RETRY_EVERY = 50
"""Every so many pages, a kind that gained nothing is tried again."""
FREE_PAGES = 10
"""How many pages may be rendered before the budget counts: a crawl that has just begun has no share to speak of."""
LEAST_LINKS = 1
LEAST_WORDS = 1.2
_MOST_KINDS = 20_000
_NUMBERS = re.compile(r"\d+")
_SHOWN_SEGMENTS = 2


class Choice(msgspec.Struct, frozen=True):
    """Whether a page is shown in a browser, and why."""

    render: bool
    why: str
    kind: str = ""


class _Kind(msgspec.Struct):
    seen: int = 0
    tried: int = 0
    gained: int = 0
    under_way: int = 0


class RenderChoice:
    """What one task has learnt about kinds of pages. Bounded: the kinds that were used last are remembered."""

    def __init__(self) -> None:
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()
        self.pages = 0
        self.rendered = 0

    def choose(self, reading: Reading, body: bytes, share: float) -> Choice:
        """Decide about a page that was fetched and read; `share` is the budget."""
        self.pages += 1
        signs = find_signs(reading, body)
        if signs.need == "none":
            return Choice(False, "")
        name = f"{reading.page.host} {signs.reason} {describe_shape(reading.page.url)}"
        kind = self._get(name)
        kind.seen += 1
        why = _judge(kind, signs)
        if not why:
            return Choice(False, f"{signs.reason}; rendering gained nothing on pages like it", name)
        if self.rendered >= FREE_PAGES + share * self.pages:
            return Choice(
                False, f"{signs.reason}; the budget of rendered pages is spent (--render-share)", name
            )
        self.rendered += 1
        kind.under_way += 1
        return Choice(True, why, name)

    def learn(self, choice: Choice, before: Reading, after: Reading | None) -> None:
        """Learn from a page that was rendered, or could not be: `after` is what it was then."""
        kind = self._get(choice.kind)
        kind.under_way = max(0, kind.under_way - 1)
        if after is not None:
            kind.tried += 1
            kind.gained += has_gained(before, after)

    def _get(self, name: str) -> _Kind:
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = _Kind()
            if len(self._kinds) > _MOST_KINDS:
                self._kinds.popitem(last=False)
        else:
            self._kinds.move_to_end(name)
        return kind


def _judge(kind: _Kind, signs: PageSigns) -> str:
    """Return why a page of this kind is rendered; "" if it is not."""
    if kind.gained and kind.gained * 10 >= kind.tried:
        return f"{signs.reason}; rendering gained on {kind.gained} of {kind.tried} pages like it"
    trials = LIKELY_TRIALS if signs.need == "likely" else TRIALS
    if kind.tried + (kind.under_way if signs.need == "doubtful" else 0) < trials:
        return signs.reason if signs.need == "likely" else f"{signs.reason}; a trial"
    if kind.seen % RETRY_EVERY == 0:
        return f"{signs.reason}; another trial"
    return ""


def has_gained(before: Reading, after: Reading) -> bool:
    """Say whether rendering brought links that were not there, or clearly more text."""
    known = {link.url for link in before.links}
    new = sum(link.url not in known for link in after.links)
    return new >= LEAST_LINKS or after.page.words > LEAST_WORDS * before.page.words + 5


def describe_shape(url: str) -> str:
    """Return what addresses of one kind have in common: the first parts of the path without numbers, and its length."""
    path = url.partition("://")[2].partition("?")[0].partition("#")[0]
    parts = path.split("/")[1:]
    shown = "/".join(_NUMBERS.sub("#", part) for part in parts[:-1][:_SHOWN_SEGMENTS])
    return f"/{shown} {len(parts)}"
