"""Only whole pages that a person opened may be changed."""

from typing import Any

import pytest

from gossamer.reading_proxy.addon.page_rules import Exchange, find_charset, find_reason_to_leave

ASKED = {"sec-fetch-dest": "document", "accept": "text/html,*/*"}
SENT = {"content-type": "text/html; charset=UTF-8"}


def _judge(method: str = "GET", asked: dict[str, str] | None = None, status: int = 200, **sent: Any) -> str:
    named = {name.replace("_", "-"): value for name, value in sent.items()}
    return find_reason_to_leave(Exchange(method, ASKED | (asked or {}), status, SENT | named))


def test_a_page_may_be_changed() -> None:
    assert _judge() == ""
    assert _judge(content_encoding="gzip", content_disposition="inline", cache_control="public") == ""
    assert find_reason_to_leave(Exchange("GET", {"accept": "text/html"}, 200, SENT)) == ""


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"content_type": "application/xhtml+xml"}, "no HTML"),
        ({"content_type": "text/plain"}, "no HTML"),
        ({"content_disposition": "Attachment; filename=a.html"}, "a download"),
        ({"cache_control": "max-age=5,No-Transform"}, "the server asks for no changes"),
        ({"content_digest": "sha-256=:YQ==:"}, "signed"),
        ({"signature_input": "x=()"}, "signed"),
        ({"trailer": "Digest"}, "headers follow the body"),
        ({"content_encoding": "br"}, "an encoding that is not read"),
        ({"content_encoding": "gzip, gzip"}, "an encoding that is not read"),
        ({"content_type": "text/html; charset=UTF-16LE"}, "a character set that is not read"),
        ({"cross_origin_embedder_policy": "require-corp; report-to=x"}, "isolated"),
    ],
)
def test_an_answer_that_must_stay_says_why(sent: dict[str, Any], reason: str) -> None:
    assert _judge(**sent) == reason


@pytest.mark.parametrize("destination", ["empty", "iframe", "script", "image", "embed", "object"])
def test_what_is_no_page_of_its_own_stays(destination: str) -> None:
    assert _judge(asked={"sec-fetch-dest": destination}) == "no page that a person opens"


def test_forms_parts_and_errors_stay() -> None:
    assert _judge("POST") == _judge(asked={"range": "bytes=0-"}) == "no page that a person opens"
    assert _judge(status=404) == _judge(status=206) == _judge(status=304) == "no whole answer"
    assert _judge(asked={"cache-control": "no-transform"}) == "the browser asks for no changes"


def test_a_character_set_is_read_with_and_without_quotes() -> None:
    assert find_charset({"content-type": 'text/html; Charset="ISO-8859-1"'}) == "iso-8859-1"
    assert find_charset({"content-type": "text/html"}) == ""
