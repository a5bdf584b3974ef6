"""User names and passwords in URLs: taken out, or hidden."""

import pytest

from gossamer.net import url as urls


@pytest.mark.parametrize(
    ("url", "plain", "pair"),
    [
        ("https://a.example/x", "https://a.example/x", ""),
        ("https://a.example/@x", "https://a.example/@x", ""),
        ("https://alice:pw@a.example/x?y#z", "https://a.example/x?y#z", "alice:pw"),
        ("https://al%20ice:p%40%3A@a.example:8443/", "https://a.example:8443/", "al ice:p@:"),
        ("http://alice@a.example", "http://a.example/", "alice"),
        ("http://key:@a.example/", "http://a.example/", "key:"),
        ("http://a@b:c@a.example/", "http://a.example/", "a@b:c"),
        ("http://alice:pw@a.example:x/", "http://alice:pw@a.example:x/", ""),
    ],
)
def test_user_information_is_split_as_browsers_do(url: str, plain: str, pair: str) -> None:
    assert urls.split_user_info(url) == (plain, pair)


@pytest.mark.parametrize(
    "url",
    [
        "https://alice:S3cret@a.example/",
        "https://alice:S3/cr?e#t@a.example:x/",
        "htps:/alice:S3cret@a",
        "alice:S3cret@a.example",
        "//S3cret@a",
        "\\\\S3cret@\n@a",
    ],
)
def test_nothing_before_the_last_at_sign_is_shown(url: str) -> None:
    shown = urls.hide_user_info(url)
    assert "S3" not in shown
    assert shown.endswith("…@" + url.rpartition("@")[2])


def test_a_url_without_user_information_is_shown_as_it_is() -> None:
    assert urls.hide_user_info("https://a.example/x") == "https://a.example/x"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.example/", "https://A.example:443/x", True),
        ("https://a.example/", "http://a.example/", False),
        ("https://a.example/", "https://a.example:8443/", False),
        ("https://a.example/", "https://www.a.example/", False),
    ],
)
def test_an_origin_is_scheme_host_and_port(one: str, other: str, same: bool) -> None:
    assert (urls.origin(urls.canonical(one)) == urls.origin(urls.canonical(other))) == same
