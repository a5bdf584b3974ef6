"""Names of files: legal everywhere, with the extension of what they hold, and never one name for two URLs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.errors import BadUrl
from gossamer.mirror.file_names import MOST_NAME_BYTES, clean_name, fold_name, plan_name
from gossamer.mirror.name_registry import NameRegistry
from gossamer.net import url as urls

FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
DEVICES = {"con", "prn", "aux", "nul"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
KINDS = ("html", "style", "script", "image", "font", "text", "binary", "pdf", "empty")


def name(url: str, kind: str = "html", media_type: str = "") -> str:
    return "/".join(plan_name(url, kind, media_type).parts)


@pytest.mark.parametrize(
    ("url", "kind", "path"),
    [
        ("http://a.example/", "html", "a.example/index.html"),
        ("http://a.example/docs/", "html", "a.example/docs/index.html"),
        ("http://a.example/docs/intro.htm", "html", "a.example/docs/intro.htm"),
        ("http://a.example/docs/intro", "html", "a.example/docs/intro.html"),
        ("http://a.example/show.php", "html", "a.example/show.php.html"),
        ("http://a.example/page.html", "text", "a.example/page.html.txt"),
        ("http://a.example/x.exe", "html", "a.example/x.exe.html"),
        ("http://a.example/style.css", "style", "a.example/style.css"),
        ("http://a.example/a.tar.gz", "archive", "a.example/a.tar.gz"),
        ("http://a.example:8080/x.png", "image", "a.example+8080/x.png"),
        ("http://[::1]:80/x.png", "image", "++1/x.png"),
    ],
)
def test_the_path_is_that_of_the_url_with_the_right_extension(url: str, kind: str, path: str) -> None:
    assert name(urls.canonical(url), kind) == path


def test_a_query_becomes_a_digest_before_the_extension() -> None:
    first, second = name("http://a.example/s.css?v=1", "style"), name("http://a.example/s.css?v=2", "style")
    assert first != second
    assert re.fullmatch(r"a\.example/s@[0-9a-f]{8}\.css", first)
    assert name("http://a.example/s.css?", "style") not in (first, name("http://a.example/s.css", "style"))


def test_an_image_without_an_extension_gets_that_of_its_type() -> None:
    assert name("http://a.example/logo", "image", "image/svg+xml; charset=utf-8") == "a.example/logo.svg"
    assert name("http://a.example/logo", "image", "image/unheard-of") == "a.example/logo"


@pytest.mark.parametrize(
    "raw", ["..", ".", "", "%2e%2e", "..%2f..%2fetc", "a%00b", "con", "NUL.txt", "x.", "x "]
)
def test_hostile_names_become_legal_ones(raw: str) -> None:
    made = clean_name(raw)
    assert made
    assert made[0] != "."
    assert made[-1] not in ". "
    assert made.partition(".")[0].lower() not in DEVICES
    assert not FORBIDDEN.search(made)


def test_a_long_path_moves_to_a_short_one() -> None:
    deep = "http://a.example/" + "/".join(["folder" * 10] * 20) + "/page.html"
    assert re.fullmatch(r"a\.example/_long/[0-9a-f]{16}\.html", name(deep))


TEXT = st.text(st.characters(codec="utf-8"), max_size=120)
STEPS = st.one_of(
    TEXT,
    st.sampled_from(
        ["..", "%2e%2e", "%2f", "%00", "%5c..", "CON", "aux.html", "A", "a", "Ä", "ä", "index.html"]
    ),
)
PATHS = st.lists(STEPS, max_size=8).map("/".join)
HOSTS = st.sampled_from(["a.example", "A.example", "a.example:81", "[::1]", "xn--bcher-kva.example", "con"])
URLS = st.builds(
    lambda scheme, host, path, query: f"{scheme}://{host}/{path}{query}",
    st.sampled_from(["http", "https"]),
    HOSTS,
    PATHS,
    st.one_of(st.just(""), TEXT.map(lambda text: f"?{text}")),
)


@given(st.lists(st.tuples(URLS, st.sampled_from(KINDS)), max_size=30))
def test_no_url_leads_outside_and_no_two_share_a_file(given_urls: list[tuple[str, str]]) -> None:
    registry = NameRegistry()
    paths: dict[str, str] = {}
    for raw, kind in given_urls:
        try:
            url = urls.canonical(raw)
        except BadUrl:
            continue
        if url not in paths:
            paths[url] = registry.claim(plan_name(url, kind))
    folded = [fold_name(path) for path in paths.values()]
    assert len(set(folded)) == len(folded)
    folders = {fold_name(path[:at]) for path in paths.values() for at, char in enumerate(path) if char == "/"}
    assert folders.isdisjoint(folded), "a file has the name of a folder"
    for path in paths.values():
        assert len(path.encode()) <= 260
        for part in path.split("/"):
            assert part not in ("", ".", "..", ".gossamer")
            assert part[0] != "."
            assert part[-1] not in ". "
            assert not FORBIDDEN.search(part)
            assert part.partition(".")[0].lower() not in DEVICES
            assert len(part.encode()) <= MOST_NAME_BYTES


@given(st.lists(URLS, max_size=20))
def test_names_of_an_earlier_run_are_kept_apart_from_new_ones(given_urls: list[str]) -> None:
    known: dict[str, str] = {}
    before = NameRegistry()
    for raw in given_urls[::2]:
        try:
            url = urls.canonical(raw)
        except BadUrl:
            continue
        known.setdefault(url, before.claim(plan_name(url, "html")))
    registry = NameRegistry()
    for url, path in known.items():
        registry.restore(plan_name(url, "html"), path)
    for raw in given_urls:
        try:
            url = urls.canonical(raw)
        except BadUrl:
            continue
        path = registry.claim(plan_name(url, "html"))
        assert known.setdefault(url, path) == path
    assert len({fold_name(path) for path in known.values()}) == len(known)


def test_a_file_of_the_user_is_not_taken() -> None:
    registry = NameRegistry({"a.example/notes.html"}.__contains__)
    assert registry.claim(plan_name("http://a.example/notes.html", "html")) != "a.example/notes.html"
