"""The HTTP parser and writer of the lab handle any bytes."""

from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.lab.server.answer import LabAnswer, LabRequest
from gossamer.lab.server.clock import PretendClock
from gossamer.lab.server.handle_request import Limits, Service
from gossamer.lab.server.http_wire import build_body, build_head, find_head_end, read_head

tokens = st.text("abcXYZ-09", min_size=1, max_size=12)
values = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0xFF, blacklist_characters="\x7f\x85\xa0"), max_size=20
)


class Echo:
    def answer(self, asked: LabRequest, now_s: float) -> LabAnswer:
        return LabAnswer(body=asked.target.encode())

    def hosts(self) -> list[str]:
        return ["127.0.0.1"]


@given(st.binary(max_size=300))
@example(b"GET http://[ HTTP/1.1")
@example(b"GET / HTTP/1.1\r\nContent-Length: \xb2")
def test_any_bytes_get_a_reply(raw: bytes) -> None:
    reply = Service(Echo(), 80, PretendClock(), Limits()).reply(raw, "127.0.0.1")
    assert reply.status_line.startswith(b"HTTP/1.1 ")
    assert (reply.status == 200) == (reply.method != "")


@given(tokens, values.filter(bool), st.dictionaries(tokens, values, max_size=5))
def test_a_request_head_is_parsed_as_written(method: str, path: str, headers: dict[str, str]) -> None:
    lines = [f"{method} /{path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    raw = "\r\n".join(lines).encode("latin-1")
    sent = raw + b"\r\n\r\nnext"
    end = find_head_end(sent, 0)
    assert end == (len(raw), len(raw) + 4)
    head = read_head(raw)
    assert head is not None
    assert (head.method, head.target) == (method, f"/{path}")
    assert head.headers == {name.lower(): value for name, value in headers.items()}


@given(
    st.integers(200, 599), st.dictionaries(tokens, st.text(max_size=20).filter(str.isprintable)), st.binary()
)
def test_an_answer_states_the_length_of_its_body(status: int, headers: dict[str, str], body: bytes) -> None:
    answer = LabAnswer(status, tuple(headers.items()), body)
    status_line, rest = build_head(answer, keep_alive=True, minor=1)
    assert status_line.split()[1] == str(status).encode()
    assert rest.endswith(b"\r\n")
    assert rest.count(b"\r\n\r\n") <= 1
    sent = build_body(answer, "GET")
    if status not in (204, 304):
        assert b"Content-Length: %d\r\n" % len(sent) in rest
        assert sent == body
