from gossamer.search.index.page_entry import KEPT_CHARACTERS, Entry, packed, unpacked

ENTRY = Entry(
    id=1, url="https://a.example/", title='Two "lines"\nof title', main="One\ntwo", language="en", depth=3
)


def test_what_is_shown_comes_back() -> None:
    shown = unpacked(packed(ENTRY))
    assert (shown.url, shown.title, shown.text) == (ENTRY.url, ENTRY.title, ENTRY.main)
    assert (shown.language, shown.depth, shown.archive) == ("en", 3, True)


def test_halves_of_surrogate_pairs_are_no_characters() -> None:
    shown = unpacked(packed(Entry(id=1, url="u\ud800", title="t\udc00", main="m\ud800")))
    assert (shown.url, shown.title, shown.text) == ("u?", "t?", "m?")


def test_no_more_is_kept_than_is_read() -> None:
    assert len(unpacked(packed(Entry(id=1, url="u", main="m" * 2 * KEPT_CHARACTERS))).text) == KEPT_CHARACTERS
    assert unpacked(packed(Entry(id=1, url="u", rest="beside"))).text == "beside"
