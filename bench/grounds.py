"""Webs of several kinds on which orders are compared, each with classes of pages that its own editors made.

- `postgresql`: the manual of PostgreSQL, one host and one folder; the class of a page is its chapter in the table of contents.
- `python`: the documentation of Python, one host; the class of a page is its book, or its chapter of the library.
- `archive`: stories of a news agency, one host; each day has a page with the headlines, and names inside the text of a
  story lead to earlier stories with that name. The class of a story is its first topic.
- `encyclopedia`: an article for each name in these stories, made of sentences that mention it, on one host; other names
  inside its text lead to their articles. The class of an article is the topic that most of its stories have.
- `articles`: synthetic articles on one host. Links stand inside the text, and link texts are titles, most of which say
  nothing about the topic; most links lead to articles on the same topic, many to a few articles that all others cite.
  There is a list of the articles on each topic, as an index of subjects.
- `hosts`, `few_hosts` and `one_host`: synthetic worlds of the lab, on sixty hosts, on six and on one.
"""

import gzip
import random
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

import msgspec

from extraction import DATA
from gossamer.assess.orders.compare_orders import Ground
from gossamer.cli.lab.compare_worlds import make_fetch, parse_world
from gossamer.fetch.fake_fetcher import make_response
from gossamer.fetch.fetcher import FetchOptions
from gossamer.lab.writing.topic_words import TOPICS
from gossamer.lab.writing.vocabulary import list_topic_words, load_lexicon
from gossamer.net import html
from gossamer.order.terms.order_term import Topic
from gossamer.records import Outcome
from gossamer.text.topics import Example
from pages import DOCUMENTATION

NEWS = DATA.parent / "news" / "stories.jsonl.gz"
_STORIES = 4_000
_FEWEST, _MOST = 20, 0.12
"""A class is a target if it has at least so many pages, and at most this share of them."""
_TARGETS = 4
_NAME = re.compile(r"\b[A-Z][a-z]{3,}\b")
_WORD = re.compile(r"\b[A-Za-z]{4,}\b")
_NAMES_A_STORY = 8
_NAME_STORIES = (4, 400)
_ARTICLE_SENTENCES = 12
_LABELLED_STORIES, _PURE = 4, 0.6
"""A name has a class if at least four of its stories have a topic, and six in ten of these the same one."""
_TOC_ITEM = re.compile(r'<li class="toctree-l(\d)"><a class="reference internal" href="([^"#]+)"')
_UP = re.compile(r'<a accesskey="u" href="([^"]+)"')
_CHAPTER = re.compile(r'<span class="(?:chapter|appendix|reference)"><a href="([^"]+)"')
_ARTICLES = 5_000
_ARTICLE_LINKS = (0.45, 0.35, 0.2)
"""Shares of links to the same topic, to the articles that all others cite, and to any."""
_TELLING_TITLES = 0.15
_TOPIC_SHARE = 0.15
_WORLDS = {
    "hosts": "pages=3000,hosts=60,topic_locality=0.5,languages=en de",
    "one_host": "pages=3000,hosts=1,topic_locality=0.4,languages=en de",
    "few_hosts": "pages=3000,hosts=6,topic_locality=0.5,languages=en de",
}

TEXTS = {
    "contrib": "additional supplied modules and extensions in contrib that can be installed with create extension",
    "information-schema": "views of the information schema with information about the objects defined in the current database",
    "catalogs": "system catalogs, the tables where the database stores metadata about tables, columns, types and internal bookkeeping",
    "library/superseded.html": "deprecated superseded modules that will be removed in a future version",
    "library/ipc.html": "networking and interprocess communication with sockets, ssl, select, signals and asynchronous i/o",
    "library/netdata.html": "internet data handling: email messages, mime types, json, base64 and mailboxes",
    "crude": "crude oil prices, barrels a day, opec production quotas, petroleum and refineries",
    "grain": "grain exports, wheat, corn and maize crops, tonnes of barley, farmers and harvests",
    "money-fx": "foreign exchange markets, central bank intervention, the dollar against the yen and the mark, currency rates",
    "trade": "trade deficit and surplus, imports and exports, tariffs, trade talks and protectionism",
    "earn": "company earnings, net profit and loss per share, quarterly results and dividends",
    "football": "football matches, goals, players, league clubs and the referee of a match",
    "gardening": "gardens, plants, seeds, soil, flowers, pruning and compost",
    "law": "law, courts, judges, lawyers, trials, contracts and crimes",
    "cooking": "cooking recipes, onions, garlic, butter, flour, oven and soup",
    "railways": "railways, trains, stations, locomotives, tracks and passengers",
    "computing": "computers, programs, software, processors, memory, networks and code",
    "sailing": "sailing boats, sails, anchors, harbours, wind, mast and crew",
}
"""Some classes, described as a person would describe them before the first crawl."""


class LabelledWeb(msgspec.Struct, frozen=True):
    """A web without a network, and the class of each page that has one."""

    name: str
    bodies: Mapping[str, bytes]
    labels: Mapping[str, str]
    seeds: tuple[str, ...]

    def list_targets(self, most: int = _TARGETS) -> list[str]:
        """Return the largest classes that are not too large, at most this many."""
        sizes = Counter(self.labels.values())
        fitting = [name for name, size in sizes.most_common() if _FEWEST <= size <= _MOST * len(self.bodies)]
        return fitting[:most]

    def fetch(self, url: str, _ask: FetchOptions | None = None) -> Outcome | None:
        """Return the page of a URL; None if there is none."""
        body = self.bodies.get(url)
        return make_response(url, body) if body is not None else None

    def read_example(self, url: str) -> Example:
        """Return a page as an example of a topic."""
        document = html.read(self.bodies[url], url)
        return Example(document.text, document.title, url)


def draw_examples(
    web: LabelledWeb, target: str, draw: int, about: int, against: int
) -> tuple[list[str], list[str]]:
    """Draw pages of the class, at most a quarter of it, and pages of others to learn from."""
    dice = random.Random(f"{web.name} {target} {draw}")
    own = sorted(url for url, label in web.labels.items() if label == target)
    others = sorted(url for url in web.bodies if web.labels.get(url) != target)
    return dice.sample(own, min(about, len(own) // 4)), dice.sample(others, min(against, len(others)))


def make_ground(web: LabelledWeb, target: str, topic: Topic | None, known: frozenset[str]) -> Ground:
    """Return a web to compare orders on: pages of the class are wanted, except those that are already known."""
    wanted = frozenset(url for url, label in web.labels.items() if label == target) - known
    return Ground(web.fetch, web.seeds, wanted, topic)


def list_webs() -> list[str]:
    """Return the names of the webs whose sources are installed."""
    sources = {
        "postgresql": DOCUMENTATION / "postgresql-doc-15" / "html",
        "python": DOCUMENTATION / "python3.11" / "html",
        "archive": NEWS,
        "encyclopedia": NEWS,
    }
    return [name for name, source in sources.items() if source.exists()] + ["articles", *_WORLDS]


@cache
def read_web(name: str) -> LabelledWeb:
    """Read or make one of the webs."""
    if name in _WORLDS:
        return _make_lab_web(name)
    return {
        "postgresql": _read_postgresql,
        "python": _read_python,
        "archive": _make_archive,
        "encyclopedia": _make_encyclopedia,
        "articles": _write_articles,
    }[name]()


def _read_files(root: Path, host: str) -> dict[str, bytes]:
    return {
        f"http://{host}/{path.relative_to(root).as_posix()}": path.read_bytes()
        for path in sorted(root.rglob("*.html"))
    }


def _read_postgresql() -> LabelledWeb:
    home = "http://postgresql.example/"
    bodies = _read_files(DOCUMENTATION / "postgresql-doc-15" / "html", "postgresql.example")
    chapters = set(_CHAPTER.findall(bodies[home + "index.html"].decode()))
    labels = {}
    for url in bodies:
        at: str | None = url.removeprefix(home)
        for _ in range(6):
            if at is None or at in chapters:
                break
            above = _UP.search(bodies.get(home + at, b"").decode("utf-8", "replace"))
            at = above[1] if above else None
        if at is not None and at in chapters:
            labels[url] = at.removesuffix(".html")
    return LabelledWeb("postgresql", bodies, labels, (home + "index.html",))


def _read_python() -> LabelledWeb:
    home = "http://python.example/"
    bodies = _read_files(DOCUMENTATION / "python3.11" / "html", "python.example")
    labels: dict[str, str] = {}
    book = chapter = ""
    for level, href in _TOC_ITEM.findall(bodies[home + "contents.html"].decode()):
        book, chapter = (href, "") if level == "1" else (book, href if level == "2" else chapter)
        in_library = book.startswith("library/") and chapter
        labels.setdefault(home + href, chapter if in_library else book)
    return LabelledWeb("python", bodies, labels, (home + "index.html",))


class _Story(msgspec.Struct, frozen=True):
    date: str
    title: str
    text: str
    topics: list[str]


@cache
def _read_stories() -> list[_Story]:
    """Read the stories that have a text."""
    with gzip.open(NEWS) as lines:
        stories = [msgspec.json.decode(line, type=_Story) for line in lines]
    return [story for story in stories if len(story.text) > 200]


@cache
def _list_names() -> dict[str, list[int]]:
    """Return the words that are nearly always written with a capital letter, and the stories that each is in."""
    capital: Counter[str] = Counter()
    small: Counter[str] = Counter()
    within: defaultdict[str, list[int]] = defaultdict(list)
    for number, story in enumerate(_read_stories()):
        words = set(_WORD.findall(story.text))
        capital.update(word for word in words if _NAME.fullmatch(word))
        small.update(word.title() for word in words if word.islower())
        for word in sorted(words):
            if _NAME.fullmatch(word):
                within[word].append(number)
    fewest, most = _NAME_STORIES
    return {
        word: numbers
        for word, numbers in within.items()
        if fewest <= len(numbers) <= most and capital[word] > 10 * small[word]
    }


def _link_names(text: str, targets: Mapping[str, str], most: int) -> str:
    """Return a text as HTML in which the first occurrences of names are links."""
    done: set[str] = set()
    parts, since = [], 0
    for match in _NAME.finditer(text):
        word = match[0]
        if word in targets and word not in done and len(done) < most:
            done.add(word)
            parts += [
                escape(text[since : match.start()]),
                f'<a href="{escape(targets[word])}">{word}</a>',
            ]
            since = match.end()
    return "".join(parts) + escape(text[since:])


def _write_page(title: str, body: str, template: str) -> bytes:
    return f"<!DOCTYPE html><title>{escape(title)}</title><p>{template}</p><h1>{escape(title)}</h1><p>{body}</p>".encode()


def _make_archive() -> LabelledWeb:
    home = "http://news.example/"
    template = '<a href="/">Front page</a> <a href="/about">About us</a> <a href="/days">All days</a>'
    stories, names = _read_stories(), _list_names()
    days: defaultdict[str, list[int]] = defaultdict(list)
    bodies, labels = {}, {}
    for number, story in enumerate(stories[:_STORIES]):
        days[story.date[:10]].append(number)
        targets = {}
        for word in set(_NAME.findall(story.text)) & names.keys():
            before = [other for other in names[word] if other < number]
            if before:
                targets[word] = f"/story/{before[-1]}"
        url = f"{home}story/{number}"
        bodies[url] = _write_page(story.title, _link_names(story.text, targets, _NAMES_A_STORY), template)
        if story.topics:
            labels[url] = story.topics[0]
    for day, numbers in days.items():
        items = "".join(
            f'<li><a href="/story/{one}">{escape(stories[one].title)}</a>' for one in numbers[::4]
        )
        bodies[f"{home}day/{day}"] = _write_page(f"News of {day}", f"<ul>{items}</ul>", template)
    items = "".join(f'<li><a href="/day/{day}">{day}</a>' for day in days)
    bodies[home + "days"] = _write_page("All days", f"<ul>{items}</ul>", template)
    bodies[home + "about"] = _write_page("About us", "News of the world, since 1987.", template)
    last = "".join(
        f'<li><a href="/story/{one}">{escape(stories[one].title)}</a>'
        for one in range(_STORIES - 20, _STORIES)
    )
    bodies[home] = _write_page("Front page", f"<ul>{last}</ul>", template)
    return LabelledWeb("archive", bodies, labels, (home,))


def _make_encyclopedia() -> LabelledWeb:
    home = "http://encyclopedia.example/"
    template = (
        '<a href="/">Home</a> <a href="/wiki/Licence">Licence</a> <a href="/wiki/Disclaimer">Disclaimer</a>'
    )
    stories, names = _read_stories(), _list_names()
    targets = {word: f"/wiki/{word}" for word in names}
    bodies, labels = {}, {}
    for word, numbers in names.items():
        sentences = _draw_sentences(word, numbers)
        others = {name: url for name, url in targets.items() if name != word}
        body = _link_names(" ".join(sentences), others, 40)
        bodies[home + f"wiki/{word}"] = _write_page(word, body, template)
        topics = Counter(stories[one].topics[0] for one in numbers if stories[one].topics)
        if sum(topics.values()) >= _LABELLED_STORIES and topics.most_common(1)[0][1] >= _PURE * sum(
            topics.values()
        ):
            labels[home + f"wiki/{word}"] = topics.most_common(1)[0][0]
    for name in ("Licence", "Disclaimer"):
        bodies[f"{home}wiki/{name}"] = _write_page(name, f"The {name.lower()} of all articles.", template)
    first = sorted(names, key=lambda word: -len(names[word]))[:12]
    bodies[home] = _write_page("Home", _link_names(" ".join(first), targets, 12), template)
    return LabelledWeb("encyclopedia", bodies, labels, (home,))


def _draw_sentences(word: str, numbers: list[int]) -> list[str]:
    """Return sentences with this word, from as many stories as possible."""
    stories = _read_stories()
    found = []
    for number in random.Random(word).sample(numbers, min(len(numbers), _ARTICLE_SENTENCES)):
        text = re.sub(r"\s+", " ", stories[number].text)
        has = [one for one in re.split(r"(?<=[.]) (?=[A-Z])", text) if re.search(rf"\b{word}\b", one)]
        found += has[:1]
    return found


class _Article(msgspec.Struct, frozen=True):
    title: str
    topic: str

    @property
    def path(self) -> str:
        return f"/wp/{self.title[0].lower()}/{self.title.replace(' ', '_')}.htm"


def _write_articles() -> LabelledWeb:
    home = "http://articles.example"
    template = '<a href="/">Home page</a> <a href="/Subjects.htm">Subject index</a> <a href="/Licence.htm">Licence</a>'
    dice = random.Random("articles")
    topics = list(TOPICS)
    shares = [1 / (3 + place) for place in range(len(topics))]
    words = load_lexicon("en").ranked
    titles = dice.sample(
        [(one, other) for one, other in zip(words[3000:9000], words[9000:15000], strict=True)], _ARTICLES
    )
    articles = []
    for one, other in titles:
        topic = dice.choices(topics, shares)[0]
        if dice.random() < _TELLING_TITLES:
            other = dice.choice(list_topic_words(topic, "en"))
        articles.append(_Article(f"{one.title()} {other}", topic))
    by_topic: defaultdict[str, list[_Article]] = defaultdict(list)
    for article in articles:
        by_topic[article.topic].append(article)
    hubs = dice.sample(articles, _ARTICLES // 20)
    bodies, labels = {}, {}
    for article in articles:
        targets = []
        for _ in range(dice.randint(8, 40)):
            where = dice.choices([by_topic[article.topic], hubs, articles], _ARTICLE_LINKS)[0]
            # A square draws the first ones more often: some articles are cited by many others.
            targets.append(where[int(len(where) * dice.random() ** 2)])
        body = " ".join(_write_sentence(dice, article.topic, target) for target in targets)
        bodies[home + article.path] = _write_page(article.title, body, template)
        labels[home + article.path] = article.topic
    for topic in topics:
        items = "".join(f'<li><a href="{one.path}">{one.title}</a>' for one in by_topic[topic])
        bodies[f"{home}/subject.{topic}.htm"] = _write_page(f"Subject {topic}", f"<ul>{items}</ul>", template)
    items = "".join(f'<li><a href="/subject.{topic}.htm">{topic.title()}</a>' for topic in topics)
    bodies[home + "/Subjects.htm"] = _write_page("Subject index", f"<ul>{items}</ul>", template)
    bodies[home + "/Licence.htm"] = _write_page("Licence", "You may copy all articles.", template)
    first = "".join(f'<li><a href="{one.path}">{one.title}</a>' for one in hubs[:15])
    bodies[home + "/"] = _write_page("Home page", f"<ul>{first}</ul>", template)
    return LabelledWeb("articles", bodies, labels, (home + "/",))


def _write_sentence(dice: random.Random, topic: str, target: _Article) -> str:
    general, own = load_lexicon("en").draw, list_topic_words(topic, "en")
    words = [
        dice.choice(own) if dice.random() < _TOPIC_SHARE else dice.choice(general)
        for _ in range(dice.randint(6, 20))
    ]
    words.insert(dice.randrange(len(words)), f'<a href="{target.path}">{target.title}</a>')
    return " ".join(words) + "."


def _make_lab_web(name: str) -> LabelledWeb:
    world = parse_world(_WORLDS[name], 0)
    fetch, seeds = make_fetch(world), tuple(world.seeds())
    bodies, labels = {}, {}
    for url in world.reachable(list(seeds), robots=False):
        exchange = getattr(fetch(url, None), "exchange", None)  # type: ignore[arg-type]  # the options are not used
        if exchange is not None:
            bodies[url] = exchange.body
            topic, language = world.about(url)
            if language == world.options.languages[0]:
                labels[url] = topic
    return LabelledWeb(name, bodies, labels, seeds)
