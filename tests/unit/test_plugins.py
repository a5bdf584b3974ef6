"""Plug-ins are found by name among the entry points of installed packages, and loaded only when they are named."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.documents.document_content import UnreadableDocument
from gossamer.documents.find_reader import choose_reader, find_reader
from gossamer.documents.plugin_readers import load_readers
from gossamer.errors import BadInput
from gossamer.order import find_order
from gossamer.order.order_expression import parse_order
from gossamer.plugins import list_plugins, load_plugin
from gossamer.records import Link

MODULE = """
NUMBER = 7
def keep(link, marks): return True
def weigh(link, depth): return 5.0
def read(body, url): return f"<title>{body.decode()}</title><p>world<a href=/more></a>"
read.media_types = ("text/x-notes",)
def nameless(body, url): return ""
def wrong(body, url): return b"bytes"
wrong.media_types = ["text/x-wrong"]
"""
POINTS = """
[gossamer.link_filters]
keep = tried_plugins:keep
number = tried_plugins:NUMBER
gone = tried_plugins:gone
nowhere = no_such_module_at_all:keep
[gossamer.orders]
tried = tried_plugins:weigh
[gossamer.readers]
notes = tried_plugins:read
nameless = tried_plugins:nameless
wrong = tried_plugins:wrong
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tried_plugins.py").write_text(MODULE)
    info = tmp_path / "tried_plugins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tried-plugins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "tried_plugins", raising=False)


def test_plugins_are_listed_without_loading_them() -> None:
    assert {"keep", "number", "gone", "nowhere"} <= set(list_plugins("link_filters"))
    assert "tried_plugins" not in sys.modules


def test_a_plugin_is_the_function_under_its_own_name() -> None:
    plugin = load_plugin("link_filters", "keep")
    assert plugin(Link("http://a.example/"), {}) is True
    assert plugin.__name__ == "keep"
    assert list(inspect.signature(plugin).parameters) == ["link", "marks"]
    assert plugin.describe_failure(ValueError("a\nb")) == "the link filter keep raised ValueError: a b"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("keeep", "there is no link filter 'keeep'; did you mean 'keep'?"),
        ("zzz", "installed are gone, keep, nowhere, number"),
        ("number", "is not a function"),
        ("gone", "cannot be loaded: AttributeError"),
        ("nowhere", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_refused(name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says.replace("?", r"\?")):
        load_plugin("link_filters", name)


def test_a_group_without_plugins_says_so() -> None:
    with pytest.raises(
        BadInput, match=r"no installed package offers one by an entry point of the group gossamer\.listeners"
    ):
        load_plugin("listeners", "any")


def test_an_order_may_be_a_plugin_but_not_part_of_a_mixture() -> None:
    assert find_order("tried")(Link("http://a.example/"), 3) == 5.0
    with pytest.raises(BadInput, match="tried cannot be mixed"):
        parse_order("topic+tried")
    with pytest.raises(BadInput, match="did you mean 'tried'"):
        parse_order("tryed")


def test_readers_are_found_by_media_type() -> None:
    readers = load_readers(["notes"])
    name = choose_reader("binary", "Text/X-Notes; charset=utf-8", b"", "http://a.example/", readers)
    reader = find_reader(name)
    assert reader is not None
    found = reader(b"hello", "http://a.example/")
    assert (found.title, found.text) == ("hello", "world")
    assert [link.url for link in found.links] == ["http://a.example/more"]
    assert choose_reader("html", "text/html", b"", "http://a.example/", readers) == ""
    assert choose_reader("binary", None, b"", "http://a.example/", readers) == ""
    assert choose_reader("binary", "text/x-notes", b"", "http://a.example/") == "", "the task names none"


def test_a_reader_that_cannot_read_says_so() -> None:
    with pytest.raises(BadInput, match="does not say which media types"):
        load_readers(["nameless"])
    reader = find_reader("plugin:wrong")
    assert reader is not None
    with pytest.raises(UnreadableDocument, match="the reader wrong raised TypeError: it returned bytes"):
        reader(b"", "http://a.example/")
    assert find_reader("plugin:absent") is None


def test_entry_points_are_not_looked_up_until_a_task_names_one() -> None:
    code = "import sys, gossamer.crawl.task.running_task, gossamer.order; sys.exit('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
