"""Write the pages of the synthetic web from their plans: titles, sentences, anchor texts, notices.

Everything follows from the keys in the plan. The title follows from the page's key alone, so that a page can
describe the pages that it links to without planning them.
"""

from gossamer.errors import BadInput
from gossamer.lab.page_plan import PagePlan, PlannedLink
from gossamer.lab.writing.draft_text import Draft
from gossamer.lab.writing.page_voice import choose_title_words, make_voice, write_boilerplate
from gossamer.lab.writing.phrases import LANGUAGES, NOTICES, NoticeKind
from gossamer.lab.writing.render_html import ContentBlock, UnstyledPage, WrittenPage, render
from gossamer.lab.writing.topic_words import TOPICS
from gossamer.lab.writing.vocabulary import check_installed, check_offered, draw_numbers, list_topic_words

__all__ = ["LANGUAGES", "TOPICS", "PageWriter", "WrittenPage"]

_GENERIC_OF_65536 = 65536 // 8  # the anchor of one link in eight in the text is "here" or "more"
_PLACE_OF_TYPE = {
    "area": "map",
    "form": "form",
    "frame": "frame",
    "iframe": "iframe",
    "link": "head",
    "refresh": "head",
}


class PageWriter:
    """Writes pages from plans.

    `languages` and `topics` are those of the world; `topic_share` is the share of words from its topic on a page
    with a topic. Word tables are built on first use (0.1 to 0.3 s for a language with a topic) and shared by all
    writers.
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
            raise BadInput(f"topic_share must be between 0 and 1, not {topic_share}.")
        self.seed = seed
        self.topic_share = topic_share

    def topic_words(self, topic: str, language: str) -> list[str]:
        """Return the words that describe a topic in a language, most frequent first."""
        return list(list_topic_words(topic, language))

    def title(self, key: int, language: str, topic: str) -> str:
        """Return the title of the page with this key."""
        voice = make_voice(language, topic, self.topic_share)
        return voice.phrase(choose_title_words(key, voice))

    def page(self, plan: PagePlan) -> WrittenPage:
        """Write a page."""
        voice = make_voice(plan.language, plan.topic, self.topic_share)
        words = choose_title_words(plan.copy_of or plan.key, voice)
        title = voice.phrase(words)
        places = _group_links(plan)
        draft = Draft(self.seed, plan, voice, words)
        return render(
            UnstyledPage(
                plan=plan,
                title=title,
                anchors=self._write_anchors(plan),
                head=places["head"],
                menu=places["navigation"],
                foot=places["footer"],
                frames=places["frame"],
                blocks=tuple(draft.write_blocks(title, places)),
                filler=tuple(draft.write_filler()) if plan.large_bytes else (),
                description=draft.first_sentence(),
                boilerplate=write_boilerplate(self.seed, plan.host_key, plan.language),
                phrases=voice.phrases,
            )
        )

    def notice(self, key: int, language: str, kind: NoticeKind) -> WrittenPage:
        """Write a short page without links that says what is wrong; `kind` is one of `phrases.NOTICES`."""
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
            blocks=(ContentBlock("h1", ((title,),)), ContentBlock("p", ((sentence,),))),
            phrases=LANGUAGES[language],
            # A soft 404 looks like any page of its host.
            boilerplate=write_boilerplate(self.seed, key, language) if kind == "soft 404" else (),
        )
        return render(outline)

    def _write_anchors(self, plan: PagePlan) -> tuple[str, ...]:
        """Return the anchor text of each link: words from the title of its target, or a phrase such as "here"."""
        drawn = draw_numbers(len(plan.links), "anchors", self.seed, plan.copy_of or plan.key)
        return tuple(
            self._write_anchor(link, plan, number) if link.type in ("a", "area") else ""
            for link, number in zip(plan.links, drawn, strict=True)
        )

    def _write_anchor(self, link: PlannedLink, plan: PagePlan, number: int) -> str:
        voice = make_voice(link.language or plan.language, link.topic, self.topic_share)
        if link.place in ("navigation", "footer", "head"):
            return voice.phrase(choose_title_words(link.key, voice)[:2])
        if link.place == "text" and number < _GENERIC_OF_65536:
            generic = LANGUAGES[plan.language].here
            return generic[number % len(generic)]
        words = choose_title_words(link.key, voice)
        return voice.phrases.space.join(words[: 2 + number % 3])


def _group_links(plan: PagePlan) -> dict[str, tuple[int, ...]]:
    """Group the links by their place on the page, in the order of the plan."""
    places: dict[str, list[int]] = {
        place: []
        for place in ("head", "navigation", "text", "list", "footer", "map", "form", "frame", "iframe")
    }
    for position, link in enumerate(plan.links):
        place = _PLACE_OF_TYPE.get(link.type, link.place)
        if link.type == "a" and place == "head":  # an anchor cannot be in the head
            place = "navigation"
        places[place].append(position)
    return {place: tuple(positions) for place, positions in places.items()}
