from gossamer.records import PageLink
from gossamer.search.anchors import gathered


def test_texts_belong_to_the_page_that_they_lead_to() -> None:
    links = [PageLink(1, 2, "a", "Haydn"), PageLink(3, 2, "area", "the composer"), PageLink(3, 4, "a", "")]
    assert gathered(links) == {2: ("Haydn", "the composer")}


def test_texts_of_other_sites_count_more_and_come_first() -> None:
    own = [PageLink(source, 2, "a", "menu") for source in range(10, 60)]
    others = [PageLink(source, 2, "a", "Haydn", spans_hosts=True, spans_sites=True) for source in (3, 4, 5)]
    assert gathered(own + others) == {2: ("Haydn", "Haydn", "Haydn", "menu")}


def test_texts_that_lead_everywhere_say_nothing() -> None:
    everywhere = [PageLink(1, target, "a", "Click here") for target in range(2, 40)]
    assert gathered([*everywhere, PageLink(1, 2, "a", "Haydn")])[2] == ("Haydn",)


def test_pages_do_not_name_themselves_and_style_sheets_are_no_names() -> None:
    assert gathered([PageLink(1, 1, "a", "I am the best"), PageLink(1, 2, "link", "style")]) == {}


def test_redirects_hand_on_what_they_are_called() -> None:
    links = [PageLink(1, 2, "a", "Haydn"), PageLink(2, 3, "redirect"), PageLink(3, 4, "redirect")]
    assert gathered(links) == {4: ("Haydn",)}
    assert gathered(
        [PageLink(1, 2, "a", "x"), PageLink(2, 3, "redirect"), PageLink(3, 2, "redirect")]
    ).keys() <= {2, 3}
