"""What stands on the pages of the synthetic web: titles, sentences, anchor texts, notices.

Everything follows from the keys in the plan. Titles follow from the page's key alone, so that a page can
describe the pages that it links to without planning them.
"""

import msgspec

from gossamer.errors import BadInput
from gossamer.lab.page_plan import PagePlan, PlannedLink
from gossamer.lab.writing.draft_text import Draft
from gossamer.lab.writing.page_voice import boilerplate, title_words, voice
from gossamer.lab.writing.phrases import LANGUAGES, NOTICES, NoticeKind
from gossamer.lab.writing.render_html import ContentBlock, UnstyledPage, render
from gossamer.lab.writing.topic_words import TOPICS
from gossamer.lab.writing.vocabulary import check_installed, check_offered, numbers, topic_words

__all__ = ["LANGUAGES", "TOPICS", "PageWriter", "Written"]

_GENERIC_OF_65536 = 65536 // 8  # one link in eight within the text says "here" or "more"
_PLACE_OF_TYPE = {
    "area": "map",
    "form": "form",
    "frame": "frame",
    "iframe": "iframe",
    "link": "head",
    "refresh": "head",
}


class Written(msgspec.Struct, frozen=True):
    """A page as it was written: the truth that reading it should find again."""

    title: str
    text: str
    """Everything a reader sees, one space between words, a line for each block. Alternative texts and what
    stands in noframes are not seen."""
    main_text: str
    """The same without banner, navigation, sidebar and footer."""
    headings: tuple[str, ...]
    """In document order."""
    anchors: tuple[str, ...]
    """Anchor text of each planned link, in the plan's order; "" for links that have none."""
    html: str
    order: tuple[int, ...]
    """Positions in the plan's links, in document order."""


class PageWriter:
    """Writes pages from plans.

    `languages` and `topics` are what the world will use; `topic_share` is the share of a topic page's words
    that come from its topic. Tables are built when a language or topic is first written (0.1 to 0.3 s for a
    language with a topic) and shared by all writers.
    """

    def __init__(
        self,
        seed: int,
        languages: tuple[str, ...] = tuple(LANGUAGES),
        topics: tuple[str, ...] = tuple(TOPICS),
        topic_share: float = 0.2,
    ) -> None:
        check_installed()
        for language in languages:
            check_offered("language", language, LANGUAGES)
        for topic in topics:
            check_offered("topic", topic, TOPICS)
        if not 0 <= topic_share <= 1:
            raise BadInput(f"The share of topic words must lie between 0 and 1, not at {topic_share}.")
        self.seed = seed
        self.topic_share = topic_share

    def topic_words(self, topic: str, language: str) -> list[str]:
        """Return the words that describe a topic in a language, most frequent first."""
        return list(topic_words(topic, language))

    def title(self, key: int, language: str, topic: str) -> str:
        """Return the title of the page with this key."""
        speaking = voice(language, topic, self.topic_share)
        return speaking.phrase(title_words(key, speaking))

    def page(self, plan: PagePlan) -> Written:
        """Write a page."""
        speaking = voice(plan.language, plan.topic, self.topic_share)
        words = title_words(plan.copy_of or plan.key, speaking)
        title = speaking.phrase(words)
        places = _placed(plan)
        draft = Draft(self.seed, plan, speaking, words)
        return self._finished(
            UnstyledPage(
                plan=plan,
                title=title,
                anchors=self._anchors(plan),
                head=places["head"],
                menu=places["navigation"],
                foot=places["footer"],
                frames=places["frame"],
                pieces=tuple(draft.pieces(title, places)),
                filler=tuple(draft.filler()) if plan.large_bytes else (),
                description=draft.lead(),
                boilerplate=boilerplate(self.seed, plan.host_key, plan.language),
                language=speaking.language,
            )
        )

    def notice(self, key: int, language: str, kind: NoticeKind) -> Written:
        """Write a small page without links that says what is wrong; `kind` is one of `phrases.NOTICES`."""
        check_offered("language", language, LANGUAGES)
        check_offered("notice", kind, NOTICES)
        title, sentence = LANGUAGES[language].notices[NOTICES.index(kind)]
        plan = PagePlan(
            url="",
            key=key,
            language=language,
            topic="",
            version=0,
            host_name="",
            host_key=key,
            links=(),
            paragraphs=0,
        )
        outline = UnstyledPage(
            plan=plan,
            title=title,
            pieces=(ContentBlock("h1", ((title,),)), ContentBlock("p", ((sentence,),))),
            language=LANGUAGES[language],
            # A soft 404 looks like any page of its host.
            boilerplate=boilerplate(self.seed, key, language) if kind == "soft 404" else (),
        )
        return self._finished(outline)

    def _finished(self, outline: UnstyledPage) -> Written:
        rendered = render(outline)
        return Written(
            title=outline.title,
            text=rendered.text,
            main_text=rendered.main_text,
            headings=rendered.headings,
            anchors=outline.anchors,
            html=rendered.html,
            order=rendered.order,
        )

    def _anchors(self, plan: PagePlan) -> tuple[str, ...]:
        """Describe the target of each link in words of its title, or say "here"."""
        drawn = numbers(len(plan.links), "anchors", self.seed, plan.copy_of or plan.key)
        return tuple(
            self._anchor(link, plan, number) if link.type in ("a", "area") else ""
            for link, number in zip(plan.links, drawn, strict=True)
        )

    def _anchor(self, link: PlannedLink, plan: PagePlan, number: int) -> str:
        speaking = voice(link.language or plan.language, link.topic, self.topic_share)
        if link.place in ("navigation", "footer", "head"):
            return speaking.phrase(title_words(link.key, speaking)[:2])
        if link.place == "text" and number < _GENERIC_OF_65536:
            generic = LANGUAGES[plan.language].here
            return generic[number % len(generic)]
        words = title_words(link.key, speaking)
        return speaking.language.space.join(words[: 2 + number % 3])


def _placed(plan: PagePlan) -> dict[str, tuple[int, ...]]:
    """Sort the links by where on the page they stand, each place in the plan's order."""
    places: dict[str, list[int]] = {
        place: []
        for place in ("head", "navigation", "text", "list", "footer", "map", "form", "frame", "iframe")
    }
    for position, link in enumerate(plan.links):
        place = _PLACE_OF_TYPE.get(link.type, link.place)
        if link.type == "a" and place == "head":  # where no anchor can stand
            place = "navigation"
        places[place].append(position)
    return {place: tuple(positions) for place, positions in places.items()}
