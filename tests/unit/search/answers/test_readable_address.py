from urllib.parse import quote

import pytest

from gossamer.search.answers.readable_address import decode_address, split_address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/wiki/Gr%C3%B6%C3%9Fe", "https://a.example/wiki/Größe"),
        (f"https://a.example/{quote('東京')}/x?q={quote('é')}", "https://a.example/東京/x?q=é"),
        (f"https://a.example/{quote('שלום')}", "https://a.example/שלום"),
        (f"https://a.example/1914{quote('–')}1918", "https://a.example/1914–1918"),
        ("https://a.example/", "https://a.example/"),
        ("odd", "odd"),
    ],
)
def test_letters_are_decoded(url: str, shown: str) -> None:
    assert decode_address(url) == shown


@pytest.mark.parametrize(
    "written",
    [
        *("a%20b", "a%2Fb", "a%3Fb", "a%23b", "a%25C3%25A9", "a%26b%3Dc", "%0A%1B[31m", "%7F", "%00"),
        *(f"a{quote(sign)}b" for sign in "\u202e\u2066\u200b\u200d\u00a0\u3000\u2028\ufeff\u0085"),
        *(f"a{quote(sign)}b" for sign in "\u2044\u2215\uff0f\u203a\u00b7\u3164\u115f\ufe0f\u00ad"),
        *("%FF%FE", "%C3", "%ED%A0%80", "%C0%AF", "%F4%90%80%80", "%zz", "%"),
        f"o{quote(chr(0x308) * 9)}",
        quote("e\u0301"),
    ],
)
def test_what_could_mislead_stays_encoded(written: str) -> None:
    url = f"https://a.example/{written}"
    assert decode_address(url) == url


def test_the_host_is_never_decoded() -> None:
    assert decode_address("https://%C3%A9.example/%C3%A9") == "https://%C3%A9.example/é"


def test_an_address_is_split_into_host_and_folders() -> None:
    assert split_address("https://a.example/b/%C3%A9.html?d=1") == ["a.example", "b", "é.html?d=1"]
    assert split_address("odd") == ["odd"]
