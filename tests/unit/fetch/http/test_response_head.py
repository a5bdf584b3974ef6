import pytest

from gossamer.fetch.http.response_head import ResponseHead, classify_response, parse_retry_after, read_head
from gossamer.records import Exchange, Failed, Fetched, NotModified, Outcome, Redirected

NOON_S = 1_800_014_400.0  # 15 January 2027, 12:00 UTC


def read(text: bytes) -> ResponseHead | None:
    return read_head(text.splitlines(keepends=True))


class TestHead:
    def test_status_names_and_values_are_read(self) -> None:
        raw = b"HTTP/1.1 200 OK\r\nContent-Type:text/html\r\nX-A:  b : c \r\nx-a: d\r\nX-Empty:\r\n\r\n"
        head = read(raw)
        assert head is not None
        assert (head.status, head.raw) == (200, raw)
        assert head.headers == (
            ("content-type", "text/html"),
            ("x-a", "b : c"),
            ("x-a", "d"),
            ("x-empty", ""),
        )
        assert head.get("x-a") == "b : c, d"
        assert head.get("x-b") == ""

    def test_bare_line_feeds_missing_phrases_and_odd_bytes_are_accepted(self) -> None:
        head = read(b"HTTP/1.0 404\nX: \xff\n\n")
        assert head is not None
        assert (head.status, head.headers) == (404, (("x", "\xff"),))

    def test_a_continued_line_belongs_to_the_line_before(self) -> None:
        head = read(b"HTTP/1.1 200 OK\r\nX: a\r\n  b\r\n\r\n")
        assert head is not None
        assert head.headers == (("x", "a b"),)

    def test_interim_heads_and_trailers_are_skipped(self) -> None:
        final = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
        head = read(
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nX: y\r\n\r\n" + final + b"T: railer\r\n\r\n"
        )
        assert head is not None
        assert head.raw == final

    @pytest.mark.parametrize(
        "text", [b"", b"HTTP/1.1 200 OK\r\nA: b\r\n", b"\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"]
    )
    def test_an_incomplete_head_is_none(self, text: bytes) -> None:
        assert read(text) is None


class TestRetryAfter:
    def test_a_clock_that_was_set_back_does_not_make_the_wait_longer(self) -> None:
        value, date = "Fri, 15 Jan 2027 12:01:30 GMT", "Fri, 15 Jan 2027 12:00:00 GMT"
        assert parse_retry_after(value, NOON_S - 365 * 86_400, date) == 90.0
        assert parse_retry_after(value, NOON_S + 60.0, date) == 30.0  # an answer from a cache
        assert parse_retry_after(value, NOON_S, "yesterday") == 90.0

    @pytest.mark.parametrize(
        ("value", "wait_s"),
        [
            ("120", 120.0),
            (" 0 ", 0.0),
            ("Fri, 15 Jan 2027 12:01:30 GMT", 90.0),
            ("Friday, 15-Jan-27 12:01:30 GMT", 90.0),
            ("Fri Jan 15 12:01:30 2027", 90.0),
            ("Fri, 15 Jan 2027 11:00:00 GMT", 0.0),
            ("9" * 400, 31 * 86_400.0),
            ("Fri, 15 Jan 2999 12:00:00 GMT", 31 * 86_400.0),
        ],
    )
    def test_seconds_and_dates_are_parsed(self, value: str, wait_s: float) -> None:
        assert parse_retry_after(value, NOON_S) == wait_s

    @pytest.mark.parametrize("value", ["", "soon", "-5", "1.5", "12 s", "٣", "Fri, 99 Xyz"])
    def test_other_values_give_none(self, value: str) -> None:
        assert parse_retry_after(value, NOON_S) is None


class TestClassifyResponse:
    def classify(self, status: int, *headers: tuple[str, str], conditional: bool = False) -> Outcome:
        head = ResponseHead(status, b"", headers)
        exchange = Exchange("http://a.example/", status, b"", b"", b"", b"", headers, "", NOON_S, 0.0, 10.0)
        return classify_response(exchange, head, conditional)

    @pytest.mark.parametrize("status", [200, 201, 203, 204, 206, 299])
    def test_statuses_from_200_to_299_are_pages(self, status: int) -> None:
        assert isinstance(self.classify(status), Fetched)

    def test_not_modified_needs_a_conditional_request(self) -> None:
        assert isinstance(self.classify(304, conditional=True), NotModified)
        assert isinstance(self.classify(304), Failed)

    def test_a_redirect_needs_a_location(self) -> None:
        redirected = self.classify(301, ("location", "/next"), ("location", "/other"))
        assert isinstance(redirected, Redirected)
        assert redirected.location == "/next"
        for status, header in ((301, ("location", "")), (300, ("location", "/a")), (305, ("location", "/a"))):
            assert isinstance(self.classify(status, header), Failed)

    def test_the_wait_counts_from_the_end_of_the_response(self) -> None:
        failed = self.classify(503, ("retry-after", "Fri, 15 Jan 2027 12:01:30 GMT"))
        assert isinstance(failed, Failed)
        assert (failed.cause, failed.detail, failed.retry_after_s) == ("status", "503", 80.0)
        assert failed.exchange is not None
