from gossamer.lab.behaviour.hostile_page import UNITS, make_hostile_page


def test_a_page_repeats_its_unit_with_running_numbers_and_text_between() -> None:
    page = make_hostile_page(UNITS["fonts"], 20_000)
    assert 20_000 <= len(page) < 30_000
    assert page.startswith(b"text text ")
    assert page.count(b"text " * 80) == 3
    numbers = [int(one.partition(b">")[0]) for one in page.split(b"<font size=")[1:]]
    assert numbers == list(range(len(numbers)))
