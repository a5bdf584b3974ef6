"""Sitemaps are read within limits of depth, files and bytes of each host, in this run and later ones."""

import msgspec
import pytest

from gossamer.crawl.task import sitemap_budget
from gossamer.crawl.task.sitemap_budget import DEEPEST_INDEX, SITEMAP_ROOM, SitemapBudget
from gossamer.records import Request, RequestType


def ask(page_id: int, parent: int = 0, kind: RequestType = "sitemap", host: str = "a.example") -> Request:
    return Request(page_id, f"http://{host}/{page_id}", host, 1, parent=parent, type=kind)


def read_chain(budget: SitemapBudget, first: int, length: int) -> list[str]:
    """Read indexes of which each lists the next, the first as a start page; return what was said of each."""
    said = [budget.count_file(ask(first, kind="seed"), True, 10)]
    for at in range(first + 1, first + length):
        said.append(budget.count_file(ask(at, parent=at - 1), True, 10))
    return said


def reload(budget: SitemapBudget) -> SitemapBudget:
    """Return a budget as the next run of the task loads it."""
    notes = [(name, note) for (room, name), note in budget.take_notes().items() if note is not None]
    assert notes
    again = SitemapBudget(1)
    again.load_notes([*notes, ("12.host.a.example", b"x"), ("12.file.7", b"x")])
    return again


def test_indexes_nest_to_a_limit() -> None:
    budget = SitemapBudget(1)
    said = read_chain(budget, 1, DEEPEST_INDEX + 1)
    assert said == [""] * DEEPEST_INDEX + ["more than 3 indexes follow each other"]
    assert budget.count_file(ask(9, parent=DEEPEST_INDEX), False, 10) == "", "the last index lists pages"


def test_lists_of_pages_and_redirects_in_between_hide_no_nesting() -> None:
    budget = SitemapBudget(1)
    assert budget.count_file(ask(1, kind="seed"), True, 10) == ""
    assert budget.count_file(ask(2, parent=1), False, 10) == ""
    assert budget.count_file(ask(3, parent=2), True, 10) == ""
    budget.follow_redirect(ask(4, parent=3))
    assert "indexes follow" in budget.count_file(ask(5, parent=4, kind="redirect"), True, 10)


def test_the_depth_outlives_the_process() -> None:
    budget = SitemapBudget(1)
    read_chain(budget, 1, DEEPEST_INDEX)
    assert "indexes follow" in reload(budget).count_file(ask(9, parent=DEEPEST_INDEX), True, 10)
    budget.count_file(ask(20, kind="seed"), True, 10)
    assert budget.take_notes().keys() == {(SITEMAP_ROOM, "1.host.a.example"), (SITEMAP_ROOM, "1.file.20")}
    assert budget.take_notes() == {}


class Shards:
    """Two shards of a crawl that read sitemaps in turn; the store has what each has read before the other goes on."""

    def __init__(self) -> None:
        self.notes: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.budgets = [SitemapBudget(1), SitemapBudget(1)]
        for budget in self.budgets:
            budget.load_notes((), self.find)

    def find(self, name: str) -> bytes | None:
        self.asked.append(name)
        return self.notes.get(name)

    def write(self) -> None:
        for budget in self.budgets:
            self.notes |= {name: note for (_, name), note in budget.take_notes().items() if note is not None}

    def read(self, request: Request) -> str:
        said = self.budgets[request.id % 2].count_file(request, True, 10)
        self.write()
        return said


def test_the_depth_is_known_to_every_shard() -> None:
    shards = Shards()
    assert [shards.read(ask(at, parent=at - 1)) for at in (1, 2)] == ["", ""]
    assert "indexes follow" in shards.read(ask(3, parent=2))


def test_redirects_between_shards_hide_no_nesting() -> None:
    shards = Shards()
    assert [shards.read(ask(at, parent=at - 1)) for at in (1, 2)] == ["", ""]
    shards.budgets[1].follow_redirect(ask(3, parent=2))
    shards.write()
    shards.budgets[0].follow_redirect(ask(4, parent=3, kind="redirect"))
    shards.write()
    assert "indexes follow" in shards.read(ask(5, parent=4, kind="redirect"))


def test_the_store_is_asked_once_for_each_file_that_lists_pages() -> None:
    shards = Shards()
    for page_id in range(10, 30):
        assert shards.budgets[0].refuse(ask(page_id, parent=7)) == ""
        shards.budgets[0].follow_redirect(ask(page_id, parent=8, kind="a"))
        shards.budgets[0].follow_redirect(ask(page_id, parent=0, kind="redirect"))
    assert shards.asked == ["1.file.7"]


@pytest.mark.parametrize(("name", "most"), [("MOST_FILES", 2), ("MOST_BYTES", 15)])
def test_files_and_bytes_of_a_host_are_limited(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_budget, name, most)
    budget = SitemapBudget(1)
    assert read_chain(budget, 1, 2) == ["", ""]
    for known in (budget, reload(budget)):
        assert "were read" in known.refuse(ask(3, parent=1))
        assert known.refuse(ask(3, parent=1, host="b.example")) == ""
        assert "were read" in known.count_file(ask(4, kind="a"), False, 10)
        assert known.count_file(ask(5, kind="a", host="b.example"), False, 10) == ""


def test_pages_and_revisits_are_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_budget, "MOST_FILES", 1)
    budget = SitemapBudget(1)
    assert budget.count_file(ask(1, kind="seed"), False, 10) == ""
    assert budget.refuse(ask(2, parent=1)) == "", "a page that the file lists"
    assert budget.count_file(ask(1, kind="revisit"), False, 10) == ""
    (host,) = [note for (_, name), note in budget.take_notes().items() if "host" in name]
    assert host is not None
    assert msgspec.msgpack.decode(host)["files"] == 1
