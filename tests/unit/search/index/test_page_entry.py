from gossamer.search.index.page_entry import KEPT_CHARACTERS, Entry, pack_entry, unpack_page

ENTRY = Entry(
    id=1, url="https://a.example/", title='Two "lines"\nof title', main="One\ntwo", language="en", depth=3
)


def test_a_packed_entry_is_unpacked() -> None:
    shown = unpack_page(pack_entry(ENTRY))
    assert (shown.url, shown.title, shown.text) == (ENTRY.url, ENTRY.title, ENTRY.main)
    assert (shown.language, shown.depth, shown.archive) == ("en", 3, True)


def test_lone_surrogates_are_replaced() -> None:
    shown = unpack_page(pack_entry(Entry(id=1, url="u\ud800", title="t\udc00", main="m\ud800")))
    assert (shown.url, shown.title, shown.text) == ("u?", "t?", "m?")


def test_stored_text_is_cut_off() -> None:
    assert (
        len(unpack_page(pack_entry(Entry(id=1, url="u", main="m" * 2 * KEPT_CHARACTERS))).text)
        == KEPT_CHARACTERS
    )
    assert unpack_page(pack_entry(Entry(id=1, url="u", rest="beside"))).text == "beside"
