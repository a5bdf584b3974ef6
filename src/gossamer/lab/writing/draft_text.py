"""Draft the main text of a page: sentences, headings, lists, tables and images, with its links."""

from collections.abc import Iterator
from typing import Literal

from gossamer.lab.page_plan import PagePlan
from gossamer.lab.writing.page_voice import Voice
from gossamer.lab.writing.render_html import ContentBlock, Run
from gossamer.lab.writing.vocabulary import draw_numbers

Extra = Literal["list", "table", "image", "quote"]
Sentence = tuple[str, str, str]
"""First half, a word of the page's own or "", second half; links go before the second half."""

_OWN_WORD_OF_256 = 96  # more than a third of the sentences have a word of the page's own
_FILLER_PARAGRAPHS = 24
_LEAD = -1
_NUMBERS_OF_PARAGRAPH = 1 + 3 * 5
_EXTRAS: tuple[tuple[Extra, ...], ...] = (
    (),
    ("list",),
    ("table",),
    ("image",),
    ("image", "quote"),
    ("list", "table"),
    ("image", "list"),
    ("quote",),
)
"""Blocks to insert among the paragraphs; the page's hash chooses."""


class Draft:
    """The main text of one page, before it becomes HTML."""

    def __init__(self, seed: int, plan: PagePlan, voice: Voice, title: list[str]) -> None:
        self.seed, self.plan, self.voice = seed, plan, voice
        self.space = voice.phrases.space
        self.source = plan.copy_of or plan.key
        self.shape = draw_numbers(64, "shape", seed, self.source)
        middle = voice.middle
        self.own = (*title, *(middle[number % len(middle)] for number in self.shape[:4]))
        self.paragraphs = [self._draw_lead(), *map(self._draw_paragraph, range(max(0, plan.paragraphs)))]
        if plan.copy_of and plan.copy_edits:
            self._edit(plan.copy_edits)

    def first_sentence(self) -> str:
        """Return the first sentence, which changes with every version."""
        return "".join(self.paragraphs[0][0])

    def write_blocks(self, title: str, links: dict[str, tuple[int, ...]]) -> Iterator[ContentBlock]:
        """Yield the main text with the links that belong into text and lists."""
        yield ContentBlock("h1", ((title,),))
        slots = self._spread_links(links["text"])
        first, *rest = self.paragraphs
        yield self._write_paragraph(first, 0, slots)
        yield from map(self._write_story, range(len(self.plan.stories)))
        for kind in ("map", "form", "iframe"):
            if places := links[kind]:
                yield ContentBlock(kind, tuple((place,) for place in places))
        sentence = len(first)
        extras = self._place_extras(len(rest))
        for place, paragraph in enumerate(rest):
            if place % 3 == 2:
                yield ContentBlock("h3" if place % 6 == 5 else "h2", ((self._write_heading(place),),))
            yield self._write_paragraph(paragraph, sentence, slots)
            sentence += len(paragraph)
            if place in extras:
                yield from map(self._write_extra, extras[place])
        if links["list"]:
            yield ContentBlock("h2", ((self.voice.phrases.related,),))
            yield ContentBlock("links", tuple((place,) for place in links["list"]))

    def write_filler(self) -> Iterator[ContentBlock]:
        """Yield paragraphs to fill a very large page."""
        for place in range(_FILLER_PARAGRAPHS):
            yield self._write_paragraph(self._draw_sentences(self.plan.paragraphs + place, 0), 0, {})

    def _draw_lead(self) -> list[Sentence]:
        return self._draw_sentences(_LEAD, self.plan.version)[:1]

    def _draw_paragraph(self, place: int) -> list[Sentence]:
        return self._draw_sentences(place, self._find_last_change(place))

    def _find_last_change(self, place: int) -> int:
        """Return the version that last changed a paragraph: each version changes one paragraph, and a quarter of the rest."""
        version = self.plan.version
        while version > 0 and place != version % self.plan.paragraphs:
            if draw_numbers(1, "change", self.source, place, version)[0] % 4 == 0:
                break
            version -= 1
        return version

    def _draw_sentences(self, place: int, version: int) -> list[Sentence]:
        """Draw a paragraph of two to five sentences."""
        drawn = draw_numbers(_NUMBERS_OF_PARAGRAPH, "text", self.seed, self.source, place, version)
        voice, own = self.voice, self.own
        sentences = []
        for at in range(1, 1 + 3 * (2 + drawn[0] % 4), 3):
            first, second, kind = drawn[at : at + 3]
            pool = voice.special if kind & 255 < voice.special_of_256 else voice.general
            word = kind >> 8
            own_word = self.space + own[word % len(own)] if word < _OWN_WORD_OF_256 else ""
            size = len(pool.first)
            sentences.append((pool.first[first % size], own_word, pool.second[second % size]))
        return sentences

    def _edit(self, edits: int) -> None:
        """Replace words of a near copy: one in each sentence before a second in any, the capitalised first word last."""
        flat = [(paragraph, place) for paragraph in self.paragraphs for place in range(len(paragraph))]
        drawn = draw_numbers(1 + edits, "edits", self.seed, self.plan.key)
        for edit, number in enumerate(drawn[1:]):
            paragraph, place = flat[(drawn[0] + edit) % len(flat)]
            first, own, second = paragraph[place]
            units = first.split(self.space) if self.space else list(first)
            at = (1 + edit // len(flat)) % len(units)
            units[at] = self._pick_other_word(units[at], number)
            paragraph[place] = (self.space.join(units), own, second)

    def _pick_other_word(self, word: str, number: int) -> str:
        middle = self.voice.middle
        other = middle[number % len(middle)]
        return other if other != word else middle[(number + 1) % len(middle)]

    def _spread_links(self, links: tuple[int, ...]) -> dict[int, list[int]]:
        """Spread links evenly over the sentences."""
        sentences = sum(map(len, self.paragraphs))
        slots: dict[int, list[int]] = {}
        for place, link in enumerate(links):
            slots.setdefault(place * sentences // len(links), []).append(link)
        return slots

    def _write_paragraph(
        self, paragraph: list[Sentence], start: int, slots: dict[int, list[int]]
    ) -> ContentBlock:
        """Join sentences to a paragraph, with the links of each sentence between its halves."""
        runs: list[Run] = []
        text = ""
        comma = self.voice.phrases.comma + self.space
        for place, (first, own, second) in enumerate(paragraph, start):
            text += f"{self.space if place > start else ''}{first}{own}"
            before = self.space
            for link in slots.get(place, ()):
                runs += (text + before, link)
                text, before = "", comma
            text += second
        return ContentBlock("p", ((*runs, text),))

    def _write_story(self, place: int) -> ContentBlock:
        """Write two sentences with the words of a story, each time in other surroundings."""
        told = self.plan.stories[place]
        drawn = draw_numbers(2 + len(told), "story", self.seed, self.plan.key, place)
        pool, middle = self.voice.general, self.voice.middle
        words = [
            f"{middle[number % len(middle)]}{self.space}{word}"
            for number, word in zip(drawn[2:], told, strict=True)
        ]
        first, second = pool.first[drawn[0] % len(pool.first)], pool.second[drawn[1] % len(pool.second)]
        return ContentBlock("p", ((f"{first}{self.space}{self.space.join(words)}{second}",),))

    def _write_heading(self, place: int) -> str:
        first, second = self.shape[place % 32], self.shape[32 + place % 32]
        voice = self.voice
        words = [voice.telling[first % len(voice.telling)], voice.middle[second % len(voice.middle)]]
        return voice.phrase([*words, self.own[place % len(self.own)]])

    def _place_extras(self, paragraphs: int) -> dict[int, tuple[Extra, ...]]:
        return {self.shape[4] % paragraphs: _EXTRAS[self.shape[5] % len(_EXTRAS)]} if paragraphs else {}

    def _write_extra(self, kind: Extra) -> ContentBlock:
        drawn = draw_numbers(24, kind, self.seed, self.source)
        voice, pool = self.voice, self.voice.special
        words = [voice.middle[number % len(voice.middle)] for number in drawn]
        match kind:
            case "list":
                return ContentBlock(
                    kind, tuple((pool.first[n % len(pool.first)],) for n in drawn[: 3 + drawn[-1] % 4])
                )
            case "table":
                rows = list(zip(words[::2], drawn[1::2], words[1::2], strict=True))[: 2 + drawn[-1] % 5]
                return ContentBlock(kind, tuple((str(cell),) for row in rows for cell in row), columns=3)
            case "image":
                caption = voice.phrase([*words[: 2 + drawn[-1] % 3]])
                return ContentBlock(
                    kind, ((caption,),), image=f"/images/{drawn[0]:04x}.jpg", alt=voice.phrase(words[5:8])
                )
            case "quote":
                return ContentBlock(
                    kind,
                    ((pool.first[drawn[0] % len(pool.first)] + pool.second[drawn[1] % len(pool.second)],),),
                )
