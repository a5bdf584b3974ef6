from hypothesis import given
from hypothesis import strategies as some

from gossamer.context.passages.cut_passages import cut_page, find_headings
from gossamer.context.passages.text_units import count_words, split_units
from gossamer.search.index.page_entry import IndexedPage, Section

SECTIONS = (Section(0, 1, "A"), Section(10, 2, "B"), Section(20, 3, "C"), Section(30, 2, "D"))


def make_page(text: str, sections: tuple[Section, ...] = ()) -> IndexedPage:
    return IndexedPage("http://a.example/", "", "en", "html", "", 0.0, 0, True, text, sections=sections)


def test_lines_are_units() -> None:
    assert split_units("one two\n\nthree", 50) == [(0, 7, 2), (9, 14, 1)]
    assert split_units("", 50) == []


def test_long_paragraphs_become_sentences() -> None:
    text = " ".join(
        f"This is the sentence about the {name}." for name in ("harp", "horn", "lute", "oboe") * 3
    )
    units = split_units(text, 50)
    assert [text[begin:end] for begin, end, _ in units][1] == "This is the sentence about the horn."


def test_text_without_spaces_is_cut_too() -> None:
    for text in ("x" * 50_000, "東京大学は日本の国立大学である" * 500):
        units = split_units(text, 40)
        assert "".join(text[begin:end] for begin, end, _ in units) == text
        assert max(words for _, _, words in units) <= 40
        assert max(end - begin for begin, end, _ in units) <= 40 * 12


@given(
    some.text(alphabet=some.sampled_from("ab .!?\n\t東京。\u2028\x0b"), max_size=400), some.integers(20, 60)
)
def test_units_are_ordered_pieces_of_any_text(text: str, most: int) -> None:
    units = split_units(text, most)
    last = 0
    for begin, end, words in units:
        assert last <= begin < end <= len(text)
        assert 0 < words <= max(most, count_words(text[begin:end]))
        last = end
    kept = "".join(text[begin:end] for begin, end, _ in units)
    assert "".join(kept.split()) == "".join(text.split())


def test_the_headings_above_a_place_are_a_path() -> None:
    assert [find_headings(SECTIONS, number) for number in (-1, 0, 2, 3)] == [
        (),
        ("A",),
        ("A", "B", "C"),
        ("A", "D"),
    ]


def test_a_candidate_stays_in_its_section_unless_it_is_short() -> None:
    body = "word " * 29 + "end"
    text = f"First\n{body}\nSecond\n{body}"
    second = text.index("Second")
    page = make_page(text, (Section(0, 2, "First"), Section(second, 2, "Second")))
    (inside,) = cut_page(page, [text.index("word")], 40)
    assert (inside.begin, inside.end, inside.section, inside.is_lead) == (0, second - 1, 0, True)
    short = make_page("Name\nIn short\nSecond\nmore text", (Section(0, 2, "Name"), Section(14, 2, "Second")))
    assert cut_page(short, [5], 40)[0].end == len(short.text)


def test_a_candidate_begins_with_the_line_that_names_it() -> None:
    text = "x.open(name)\n" + "Opens the file of this name and returns it to you. " * 4
    lines = "\n".join(
        f"This line number {at} is about something else and is long enough to stay." for at in range(20)
    )
    page = make_page(f"{lines}\n{text}\n{lines}")
    starts = {one.begin for one in cut_page(page, [page.text.index("Opens")], 60)}
    assert page.text.index("x.open") in starts


def test_a_page_that_repeats_a_word_costs_little() -> None:
    text = "\n".join(["spam"] * 5_000)
    assert len(cut_page(make_page(text), list(range(0, len(text), 5)), 100)) <= 200
