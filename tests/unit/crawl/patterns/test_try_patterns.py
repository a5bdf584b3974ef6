import pytest

from gossamer.config import Filters, TaskSpec
from gossamer.crawl.patterns import try_patterns as module
from gossamer.crawl.patterns.try_patterns import SlowPattern, list_patterns, try_patterns
from gossamer.errors import BadInput

URLS = [f"https://www.example.org/a/long/path/with/many/letters/{at}.html" for at in range(50)]
HOSTS = ["www.example.org"] * 50
RUNAWAY = "([^?]+)+[?]$"


def test_ordinary_patterns_pass() -> None:
    try_patterns(
        {"include": [r"/\d+\.html$", "(?x) ä # and\n [a-z]+"], "exclude_hosts": ["^ftp"]}, URLS, HOSTS
    )


@pytest.mark.parametrize(
    ("options", "option"),
    [
        ({"include": ["org"], "exclude": ["html", RUNAWAY]}, "exclude"),
        ({"include_hosts": ["([a-z.]+)+!"]}, "include_hosts"),
        ({"pattern": [RUNAWAY]}, "pattern"),
    ],
)
def test_a_pattern_that_takes_too_long_is_named(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, list[str]], option: str
) -> None:
    monkeypatch.setattr(module, "MOST_CPU_S", 0.2)
    with pytest.raises(SlowPattern, match="takes too long") as caught:
        try_patterns(options, URLS, ["averylonghostnameofmanyletterswithoutend.example.org1"])
    assert caught.value.option == option
    assert repr(options[option][-1]) in str(caught.value)


def test_what_is_no_pattern_is_refused() -> None:
    with pytest.raises(BadInput, match="not a regular expression"):
        try_patterns({"include": ["("]}, URLS, HOSTS)


def test_without_urls_nothing_is_tried() -> None:
    try_patterns({"include": [RUNAWAY]}, [], [])


def test_the_patterns_of_a_task_are_listed_by_option() -> None:
    spec = TaskSpec(filters=Filters(include=("a", "b"), exclude_hosts=("c",)))
    assert list_patterns(spec) == {"include": ("a", "b"), "exclude_hosts": ("c",)}
