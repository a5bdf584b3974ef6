"""Judging a page returns a value: the links to follow, and the decisions that cannot be derived from the rules."""

import asyncio
from typing import Any

import pytest
from tests.unit.crawl.visit.shard import NOON_S, START, TestShard, fetch

from gossamer.crawl.read_page import Reading, read
from gossamer.crawl.visit.judge_page import JudgedPage, is_kept, judge, notify_listeners
from gossamer.net import url as urls
from gossamer.records import Link, Page, Request

PAGE = '<title>Start</title><a href="/one">one</a> <a href="/two">two</a> <a href="http://b.example/">elsewhere</a>'


def judge_start(shard: TestShard, body: str = PAGE, depth: int = 0) -> JudgedPage:
    request = Request(urls.page_id(START), START, "a.example", 1, depth)
    reading = read(request, fetch(START, body), "Gossamer")
    return asyncio.run(judge(request, reading, shard.running, lambda: NOON_S))


def followed(judged: JudgedPage) -> list[str]:
    return [judged.found.links.urls[place] for place in judged.found.at]


def test_links_in_scope_are_followed_and_the_others_counted_by_rule() -> None:
    judged = judge_start(TestShard())
    assert followed(judged) == ["http://a.example/one", "http://a.example/two"]
    assert judged.found.filtered == {"scope": 1}
    assert judged.decisions == []


def test_judging_writes_nothing() -> None:
    shard = TestShard(content_seen=True)
    shard.task.link_filter(lambda link: "one" not in link.url)
    judge_start(shard)
    assert not shard.context.pending.batch
    assert not len(shard.running.scheduler.find_depths([urls.page_id(START)]))
    assert followed(judge_start(shard)) == ["http://a.example/two"]  # a second time with the same result


def test_a_link_filter_refuses_under_its_own_name() -> None:
    shard = TestShard()

    @shard.task.link_filter
    def no_ones(link: Link) -> bool:
        return "one" not in link.url

    judged = judge_start(shard)
    assert followed(judged) == ["http://a.example/two"]
    assert judged.found.filtered == {"scope": 1, "no_ones": 1}
    [decision] = judged.decisions
    assert (decision.page, decision.rule) == (urls.page_id("http://a.example/one"), "no_ones")
    assert (decision.task, decision.when_s) == (1, NOON_S)


def test_link_filters_may_take_the_marks_of_link_classifiers() -> None:
    shard = TestShard()
    shard.task.link_classifier(lambda link, page: {"from": page.title, "to": link.text})

    @shard.task.link_filter
    async def only_one(link: Link, marks: dict[str, str]) -> bool:
        return marks == {"from": "Start", "to": "one"}

    assert followed(judge_start(shard)) == ["http://a.example/one"]


def test_a_page_filter_refuses_all_links() -> None:
    shard = TestShard()

    @shard.task.page_filter
    def never(reading: Reading) -> bool:
        return False

    judged = judge_start(shard)
    assert followed(judged) == []
    assert judged.found.filtered == {"scope": 1, "never": 2}
    assert [(one.rule, one.detail) for one in judged.decisions] == [("never", "its links are not followed")]


def test_page_classifiers_add_marks() -> None:
    shard = TestShard()
    shard.task.page_classifier(lambda reading: {"length": str(len(reading.page.title))})
    assert judge_start(shard).reading.page.marks == {"length": "5"}


@pytest.mark.parametrize(("options", "links"), [({}, 0), ({"nofollow": False}, 2)])
def test_a_page_may_ask_robots_not_to_follow_its_links(options: dict[str, Any], links: int) -> None:
    judged = judge_start(TestShard(**options), '<meta name="robots" content="nofollow">' + PAGE)
    assert len(followed(judged)) == links


def test_a_text_that_was_seen_before_is_not_followed_again() -> None:
    shard = TestShard(content_seen=True)
    first = judge_start(shard)
    assert first.has_new_text
    shard.running.scheduler.record_text(first.reading.page, shard.context.pending.batch)
    again = judge_start(shard)
    assert not again.has_new_text
    assert followed(again) == []
    assert again.found.filtered == {"scope": 1, "content seen": 2}


@pytest.mark.parametrize(("depth", "links"), [(0, 2), (1, 0)])
def test_a_page_in_another_language_is_not_kept_and_only_start_pages_lead_on(depth: int, links: int) -> None:
    shard = TestShard(language=["de"])
    english = (
        "<p>" + "The weather was fine and we all went for a long walk along the river with our dogs. " * 5
    )
    judged = judge_start(shard, english + PAGE, depth)
    assert judged.reading.page.language == "en"
    assert not is_kept(shard.running, judged.reading.page)
    assert len(followed(judged)) == links
    assert [one.rule for one in judged.decisions] == ["language"]


def test_listeners_are_called_with_pages_that_are_kept() -> None:
    shard = TestShard(kinds=["html"])
    heard: list[Page] = []
    shard.task.listener(heard.append)
    judged = judge_start(shard)
    asyncio.run(notify_listeners(judged, shard.running))
    assert [page.url for page in heard] == [START]
    picture = Reading(Page(1, START, "a.example", 1, 0, NOON_S, 200, "image"))
    asyncio.run(notify_listeners(JudgedPage(picture, judged.found), shard.running))
    assert len(heard) == 1
