from pathlib import Path

import pytest

from gossamer.cli import main
from gossamer.cli.typed_url import complete_url, complete_urls, find_typed_url, find_url_or_file
from gossamer.errors import BadInput
from gossamer.lab.server.serve_world import LabServer
from gossamer.net import url as urls
from gossamer.web import Web

TYPED = {
    "www.example.org": "https://www.example.org",
    "  www.example.org/a?b#c ": "https://www.example.org/a?b#c",
    "example.org:8443/x": "https://example.org:8443/x",
    "example.org:80": "http://example.org:80",
    "//example.org/a": "https://example.org/a",
    "bücher.example/ä": "https://bücher.example/ä",
    "example.org/?to=http://other.example/": "https://example.org/?to=http://other.example/",
    "localhost": "http://localhost",
    "localhost:8000": "http://localhost:8000",
    "Lab.localhost:8000/x": "http://Lab.localhost:8000/x",
    "127.0.0.1:8000/x": "http://127.0.0.1:8000/x",
    "192.0.2.7": "http://192.0.2.7",
    "[::1]:8000/x": "http://[::1]:8000/x",
    "wiki:8000": "https://wiki:8000",
}
LEFT_ALONE = [
    *("http://example.org/", "https://example.org", "HTTP://example.org", "ftp://example.org/"),
    *("mailto:a@example.org", "user@example.org", "user:word@example.org/", "javascript:alert(1)"),
    *(
        "word",
        "docs/index",
        "./page.html",
        "../a.b",
        "",
        " ",
        "/a.b/c",
        "a b.example",
        "example.org:port",
        "C:\\x.html",
    ),
]


@pytest.mark.parametrize("text", TYPED)
def test_a_url_without_a_scheme_gets_the_likely_one(text: str) -> None:
    assert complete_url(text) == TYPED[text]
    urls.canonical(complete_url(text))


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_host_or_has_a_scheme_stays_as_it_is(text: str) -> None:
    assert complete_url(text) == text


def test_the_user_reads_what_a_url_was_taken_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert complete_urls(["www.example.org", "http://other.example/"]) == [
        "https://www.example.org",
        "http://other.example/",
    ]
    assert capsys.readouterr() == (
        "",
        "gossamer: www.example.org has no scheme and is taken for https://www.example.org\n",
    )


def test_a_file_is_not_taken_for_a_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pages.txt").write_text("https://www.example.org/\n")
    with pytest.raises(
        BadInput, match=r"pages\.txt is a file: `--seed-files pages\.txt` reads start pages from it"
    ):
        complete_urls(["pages.txt"])


class Known:
    """A web that knows some URLs."""

    def __init__(self, *known: str) -> None:
        self._known = {urls.page_id(url): url for url in known}

    def urls(self, page_ids: object) -> dict[int, str]:
        assert isinstance(page_ids, list)
        return {one: self._known[one] for one in page_ids if one in self._known}


def test_in_a_web_a_typed_url_means_one_that_the_web_knows(capsys: pytest.CaptureFixture[str]) -> None:
    both = Known("http://a.example/", "https://a.example/")
    assert find_typed_url(both, "a.example") == "https://a.example"
    assert find_typed_url(Known("http://a.example/"), "a.example/") == "http://a.example/"
    assert find_typed_url(Known("https://127.0.0.1/"), "127.0.0.1") == "https://127.0.0.1"
    assert find_typed_url(Known(), "a.example") == "https://a.example"
    assert find_typed_url(Known(), "a..example..") == "https://a..example.."
    assert capsys.readouterr().err.count("is taken for") == 5
    assert find_typed_url(both, "http://a.example/") == "http://a.example/"
    assert capsys.readouterr().err == ""


def test_what_may_be_a_file_is_a_url_only_if_the_web_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    known = Known("http://a.example/")
    assert find_url_or_file(known, "a.example") == "http://a.example"
    assert capsys.readouterr().err == "gossamer: a.example has no scheme and is taken for http://a.example\n"
    assert find_url_or_file(known, "b.example") == "b.example"
    Path("a.example").write_text("a text")
    assert find_url_or_file(known, "a.example") == "a.example"
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_verbs_complete_what_is_typed(web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pages of the fixture are at 127.x.y.z with a port, over http."""
    with Web(web, create=False) as opened:
        page = min(page.url for page in opened.store.pages() if page.kind == "html")
    typed = page.removeprefix("http://")
    verbs = [
        ["explain", typed],
        ["submit", typed],
        ["topics", "train", "one", "--examples", typed],
        ["topics", "score", typed, "--topic", "one"],
    ]
    for verb in verbs:
        assert main.run_verb([*verb, "--web", str(web)]) == 0
        assert f"gossamer: {typed} has no scheme and is taken for {page}\n" in capsys.readouterr().err, verb
    assert main.run_verb(["graph", "pagerank", "--prefer", typed, "--web", str(web)]) == 0


@pytest.mark.slow
def test_a_crawl_starts_at_what_was_typed(
    lab: LabServer, quick: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = lab.seeds[0]
    typed = page.removeprefix("http://")
    assert main.run_verb(["crawl", typed, *quick, "--pages", "1", "--web", str(tmp_path / "web")]) == 0
    assert f"gossamer: {typed} has no scheme and is taken for {page}\n" in capsys.readouterr().err
    with Web(tmp_path / "web", create=False) as opened:
        assert [page.url for page in opened.store.pages()] == [page]
