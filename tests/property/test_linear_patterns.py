"""Patterns that were rewritten to take linear time match what their plain, slow twins match."""

import re
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.net.html.head_metadata import parse_refresh
from gossamer.net.main_text.sentences import sentences
from gossamer.store.archive import http_message
from gossamer.store.archive.cdxj_index import surt
from gossamer.text.language.detection import corpus_sentences

_CASE = re.IGNORECASE | re.DOTALL
PATH_SESSIONS = [
    re.compile(r"(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)\Z", _CASE),
    re.compile(r"(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)\Z", _CASE),
]
QUERY_SESSIONS = [
    re.compile(rf"(.*)(?:{name})(?:&(.*))?\Z", _CASE)
    for name in (
        *("jsessionid=[0-9a-z]{32}", "phpsessid=[0-9a-z]{32}", "sid=[0-9a-z]{32}"),
        *("aspsessionid[a-z]{8}=[a-z]{24}", "cfid=[^&]+&cftoken=[^&]+"),
    )
]
ID_24, ID_32 = "abcdefghijklmnopqrstuvwx", "0123456789abcdef0123456789ABCDEF"
QUERY_PIECES = [
    *(f"jsessionid={ID_32}", f"PHPSESSID={ID_32}", f"sid={ID_32}", f"aspsessionidabcdefgh={ID_24}"),
    *("cfid=", "CFID=1", "&cftoken=", "&CFToken=2", "&", "&", "=", "x", "sid=", ID_24, "%26", "a=1"),
]
PATH_PIECES = [
    *(
        f"({ID_24})/",
        f"(s({ID_24}))/",
        f"(s({ID_24})f({ID_24}))/",
        "/",
        ".aspx",
        "x",
        "(",
        ")",
        "%3F",
        "a/",
        f"({ID_24})",
    ),
]


@given(st.lists(st.sampled_from(QUERY_PIECES), max_size=12).map("".join))
@example("cfid=1cfid=&cftoken=2&cftoken=3&cfid=4")
def test_session_ids_are_removed_from_queries(query: str) -> None:
    expected = query.replace("%26", "&")
    for pattern in QUERY_SESSIONS:
        expected = pattern.sub(r"\1\2", expected)
    pairs = sorted(part.split("=", 1) for part in expected.lower().split("&"))
    expected = "&".join("=".join(pair) for pair in pairs)
    assert surt(f"http://e.com/a?{query}") == "com,e)/a" + (f"?{expected}" if expected else "")


@given(st.lists(st.sampled_from(PATH_PIECES), max_size=10).map("".join))
def test_session_ids_are_removed_from_paths(path: str) -> None:
    kept = ("/" + path).replace("%3F", "?").split("/")[1:]
    expected = "/" + "/".join([part for part in kept[:-1] if part] + kept[-1:])
    for pattern in PATH_SESSIONS:
        expected = pattern.sub(r"\1\2", expected)
    expected = expected[:-1] if expected.endswith("/") and len(expected) > 1 else expected
    assert surt(f"http://e.com/{path}") == f"com,e){expected}"


REFRESH = re.compile(
    r"""\s*([0-9]+\.?[0-9]*|\.[0-9]*)[0-9.]*(?:\Z|[\s;,]\s*[;,]?\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*)))""",
    _CASE,
)


@given(st.text("0159. ;,\"'=ural\n", max_size=20))
@example("5 ; url = 'a")
def test_refreshes_are_parsed(content: str) -> None:
    match = REFRESH.match(content)
    expected = (match[2] or match[3] or match[4] or "").strip() if match else None
    found = parse_refresh(content)
    assert (found[1] if found else None) == expected
    assert (
        found is None or match is None or found[0] == (0.0 if match[1] == "." else min(float(match[1]), 1e9))
    )


CLOSING = "\"'”’»›)\\]」』）"
SENTENCE_END = re.compile(rf"[.!?…]+[{CLOSING}]*(?=\s)|[。！？｡।॥]+[{CLOSING}]*|[؟۔]+[{CLOSING}]*(?=\s)")


SHORTENED = re.compile(
    r"(?:(?<![\w.])(?:\d\d?|(?:\w\.)+\w|(?i:dr|etc|no|nr|z\.b))|(?<![\w.])[A-ZÉ])$",
)
PIECES = [*".!?…\"')] a。！؟۔éÉ\n\t9_-", "etc", "Dr", "z.B", "U.S", "nr", "2024", ". ", ".) ", " Next"]


def split_by_patterns(line: str) -> Iterator[str]:
    """Yield the sentences of a line as `sentences` defines them."""
    start = 0
    for match in SENTENCE_END.finditer(line):
        before, after = line[: match.start()], line[match.end() :].lstrip()
        if match[0][0] in ".!?…" and (
            after[:1].islower() or (match[0] == "." and SHORTENED.search(before[-20:]))
        ):
            continue
        yield line[start : match.end()].strip()
        start = match.end()
    yield line[start:].strip()


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("3. Oktober. It was 1990. A. Smith said e.g. No. 5 etc. And so on?! Yes.")
def test_sentences_end_where_patterns_say(text: str) -> None:
    expected = [one for line in text.splitlines() for one in split_by_patterns(line) if one]
    assert sentences(text) == expected


IS_WORD = re.compile(r"[^\d@/\\<>={}_|&#*+]*[^\W\d_][^\d@/\\<>={}_|&#*+]*")


@given(st.text("ab1²é漢-.'@_=€", max_size=8))
def test_words_are_recognised(word: str) -> None:
    assert bool(corpus_sentences._IS_WORD(word)) == bool(IS_WORD.fullmatch(word))


LENGTH = re.compile(rb"^(content-length[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?)$", re.IGNORECASE | re.MULTILINE)
LINES = [
    b"Content-Length: 3",
    b"content-length : 9 ",
    b"Content-Length:\t",
    b" x",
    b"\r\n",
    b"\n",
    b"\r",
    b"A: b",
    b"  ",
]


@given(st.lists(st.sampled_from(LINES), max_size=8).map(b"".join))
def test_declared_lengths_are_found(head: bytes) -> None:
    found = [(line, length.strip(b" \t")) for line, length in http_message._LENGTH.findall(head)]
    assert found == LENGTH.findall(head)
