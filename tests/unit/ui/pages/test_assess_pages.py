import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.unit.ui.app_client import Reply, ask

from gossamer.assess.judgements import find_sample, get_sample, read_judgements
from gossamer.crawl.from_archive.archived_pages import read_archived_pages
from gossamer.records import Page
from gossamer.store.batch import Batch
from gossamer.store.model_folder import keep_topic_model
from gossamer.text.topics.train_topic import train_topic
from gossamer.text.topics.training_example import Example
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import NAVIGATION
from gossamer.ui.security import SecurityMiddleware
from gossamer.web import Web


class Visitor:
    """A simple browser that fills in and sends the forms of pages."""

    def __init__(self, app: SecurityMiddleware) -> None:
        self.app = app
        self.address = "/assess"

    def get(self, address: str) -> str:
        self.address = address
        reply = ask(self.app, address)
        assert reply.status == 200, reply.text
        return reply.text

    def send(self, **fields: str) -> Reply:
        """Send the form of the current page, with its hidden fields."""
        page = ask(self.app, self.address).text
        form = page[page.index('method="post"') :]
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)
        body = urlencode({name: unescape(value) for name, value in hidden} | fields).encode()
        path = self.address.partition("?")[0]
        return ask(self.app, path, "POST", {"origin": "http://127.0.0.1:8080"}, body)

    def act(self, action: str) -> str:
        """Press a button, and return the next page."""
        reply = self.send(act=action)
        assert reply.status == 303
        return self.get(reply.headers["location"])


@pytest.fixture
def visitor(own: Path) -> Iterator[Visitor]:
    with PageContext(own, NAVIGATION) as context:
        yield Visitor(make_application(context, Guard()))


def key_of(page: str) -> str:
    (key,) = re.findall(r'name="page" value="(\w+)"', page)
    return str(key)


def list_verdicts(folder: Path, judge: str = "anna") -> list[str]:
    with Web(folder) as web:
        return [one.verdict for one in read_judgements(web.store, "depths", judge)]


def test_a_sample_is_drawn_and_judged(visitor: Visitor, own: Path) -> None:
    drawn = visitor.send(name="depths", by="depth", sample="2")
    assert (drawn.status, drawn.headers["location"]) == (303, "/assess/depths?")
    assert "Who judges?" in visitor.get("/assess/depths")
    first = visitor.get("/assess/depths?judge=anna")
    assert 'sandbox=""' in first
    assert "relevance" not in first
    assert "depth" not in first.replace("depths", "")
    second = visitor.act("relevant")
    assert key_of(second) != key_of(first)
    visitor.act("not")
    assert list_verdicts(own) == ["relevant", "not"]
    assert "1 relevant, 1 not, 0 unsure" in " ".join(visitor.get(visitor.address).split())
    results = visitor.get("/assess/depths/results")
    assert "Precision by depth" in results
    assert "2 of " in visitor.get("/assess")
    assert "Precision by host" in visitor.get("/assess/depths/results?by=host")


def test_skip_and_undo(visitor: Visitor, own: Path) -> None:
    visitor.send(name="depths", sample="5")
    first = key_of(visitor.get("/assess/depths?judge=anna"))
    second = key_of(visitor.act("skip"))
    third = key_of(visitor.act("skip"))
    assert len({first, second, third}) == 3
    assert key_of(visitor.act("undo")) == second
    assert key_of(visitor.act("unsure")) == third
    assert key_of(visitor.act("undo")) == second
    assert list_verdicts(own) == []
    assert key_of(visitor.act("undo")) == second, "there is nothing further back"


def test_a_page_judged_in_another_window_is_not_judged_again(visitor: Visitor, own: Path) -> None:
    visitor.send(name="depths", sample="5")
    page = visitor.get("/assess/depths?judge=anna")
    here = visitor.address
    visitor.act("relevant")
    visitor.address = here
    visitor.send(act="not", page=key_of(page))
    visitor.send(act="not", page="xyz")
    assert list_verdicts(own) == ["relevant"]


def test_the_end_of_a_sample_is_shown(visitor: Visitor, own: Path) -> None:
    visitor.send(name="depths", sample="1")
    visitor.get("/assess/depths?judge=anna")
    assert "All pages are judged" in visitor.act("relevant")
    assert "All pages are judged" not in visitor.act("undo")
    assert list_verdicts(own) == []


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"name": "a/b"}, "a name has up to 64"),
        ({"name": "x", "sample": "9999"}, "is more than there are"),
        ({"name": "x", "sample": "many"}, "is not a number of pages"),
        ({"name": "x", "sample": "9" * 5000}, "is not a number of pages"),
        ({"name": "x", "by": "colour"}, "is not known"),
        ({"name": "x", "where": "<script>"}, "cannot search for the word"),
    ],
)
def test_wrong_samples_are_refused(visitor: Visitor, form: dict[str, str], sentence: str) -> None:
    reply = visitor.send(**form)
    assert reply.status == 400
    assert sentence in unescape(reply.text)
    assert "<script>'" not in reply.text


def test_the_pages_least_certain_to_a_topic_are_drawn(visitor: Visitor, own: Path) -> None:
    assert 'name="topic"' not in visitor.get("/assess")
    with Web(own) as web:
        read = [
            (page, Example(document.text))
            for page, document in read_archived_pages(web.store, own / "archive")
        ]
    music, rest = (
        [one for page, one in read if ("symphony" in page.url) == is_it] for is_it in (True, False)
    )
    keep_topic_model(train_topic(music, rest), own, "symphonies")
    assert "the topic symphonies" in visitor.get("/assess")
    drawn = visitor.send(name="doubts", sample="3", topic="symphonies", active="yes")
    assert drawn.status == 303
    with Web(own) as web:
        sample = get_sample(web.store, "doubts")
    far = [abs((item.relevance or 0.0) - 0.5) for item in sample.items]
    assert (sample.chosen, far) == ("uncertain", sorted(far))
    assert "they do not represent the collection" in visitor.get("/assess/doubts/results")


def test_verdicts_need_the_form_key(visitor: Visitor, own: Path) -> None:
    visitor.send(name="depths", sample="5")
    visitor.get("/assess/depths?judge=anna")
    assert visitor.send(act="relevant", form_key="guessed").status == 400
    assert list_verdicts(own) == []
    with Web(own) as web:
        assert find_sample(web.store, "depths") is not None


def test_hostile_pages_are_escaped_and_noarchive_is_respected(visitor: Visitor, own: Path) -> None:
    facts: dict[str, Any] = {"task": 1, "depth": 0, "fetched_s": 0.0, "status": 200, "kind": "html"}
    hostile = Page(id=7, url="http://evil.example/", host="evil.example", title="<script>x</script>", **facts)
    shy = Page(id=8, url="http://shy.example/", host="shy.example", title="Shy", archive=False, **facts)
    with Web(own) as web:
        web.store.commit(Batch(pages=[hostile, shy]))
    visitor.send(name="evil", where="host:evil.example")
    page = visitor.get("/assess/evil?judge=anna")
    assert "<script>x" not in page
    assert "&lt;script&gt;x" in page
    visitor.get("/assess")
    visitor.send(name="shy", where="host:shy.example")
    assert "does not allow copies to be shown" in visitor.get("/assess/shy?judge=anna")


def test_a_sample_is_deleted_by_its_form(visitor: Visitor, own: Path) -> None:
    visitor.send(name="depths", by="depth", sample="2")
    visitor.get("/assess/depths?judge=anna")
    visitor.act("not")
    page = visitor.get("/assess/depths/results")
    assert "all its judgements, by anna" in page
    key = re.findall(r'name="form_key" value="([^"]*)"', page)[0]
    forget = "/assess/depths/forget"
    assert ask(visitor.app, forget, "POST", body=b"form_key=wrong").status == 400
    assert len(list_verdicts(own)) == 1
    gone = ask(visitor.app, forget, "POST", body=urlencode({"form_key": key}).encode())
    assert (gone.status, gone.headers["location"], list_verdicts(own)) == (303, "/assess", [])


def test_the_form_is_in_plain_words(visitor: Visitor) -> None:
    page = visitor.get("/assess")
    labels = re.findall(r'<label for="\w+">([^<]*)</label>', page)
    assert labels == ["Sample name", "Question for the judges", "Sample size", "Split by", "Filter"]
    described = re.findall(r'aria-describedby="([^"]*)"', page)
    assert len(described) == 5
    assert all(f'id="{one}"' in page for one in described)
    assert "strat" not in page


def test_a_refused_form_keeps_what_was_typed_and_names_its_fields(visitor: Visitor) -> None:
    reply = visitor.send(
        name="x", sample="9999", question='Is it "good" <b>?', by="depth", where="depth:0..3"
    )
    page = reply.text
    assert "“Sample size” 9,999 is more than there are" in page
    assert "--sample" not in page
    assert 'value="Is it &#34;good&#34; &lt;b&gt;?"' in page
    assert '<option value="depth" selected>' in page
    assert 'value="depth:0..3"' in page


@pytest.mark.parametrize(
    ("form", "question"),
    [
        ({"question": "Is this page about <i>Haydn</i>?"}, "Is this page about &lt;i&gt;Haydn&lt;/i&gt;?"),
        ({}, "Is this page relevant?"),
    ],
)
def test_the_judges_are_asked_a_question(visitor: Visitor, form: dict[str, str], question: str) -> None:
    visitor.send(name="asked", sample="1", **form)
    assert f'<p class="question" dir="auto">{question}</p>' in visitor.get("/assess/asked")
    page = visitor.get("/assess/asked?judge=anna")
    assert f'<p class="question" id="question" dir="auto">{question}</p>' in page
    assert 'id="question"' not in visitor.act("relevant"), "all pages are judged"


def test_the_text_is_open_and_the_source_is_not(visitor: Visitor) -> None:
    visitor.send(name="open", where="url:haydn")
    page = visitor.get("/assess/open?judge=anna")
    assert "<details open><summary>Text</summary>" in page
    assert "<details><summary>Source</summary>" in page
