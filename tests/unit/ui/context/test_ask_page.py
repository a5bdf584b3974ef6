from tests.unit.ui.conftest import GetPage


def test_the_page_has_a_form_that_needs_no_script(get_page: GetPage) -> None:
    page = get_page("/ask")
    assert page.status == 200
    assert '<form action="/ask" role="search">' in page.text
    assert "Nothing is generated" in page.text


def test_passages_are_shown_with_their_sources(get_page: GetPage) -> None:
    page = get_page("/ask?q=how+many+symphonies+did+Haydn+write").text
    assert "<blockquote" in page
    assert "<mark>symphonies</mark>" in page
    assert "#:~:text=" in page
    assert "offset" in page


def test_hostile_titles_and_questions_are_escaped(get_page: GetPage) -> None:
    page = get_page("/ask?q=concert+of+malice+%3Cscript%3Ealert(2)%3C/script%3E").text
    assert "<script>alert" not in page
    assert "Hostile &lt;script&gt;" in page


def test_bad_input_gets_a_sentence_on_the_page(get_page: GetPage) -> None:
    page = get_page("/ask?q=haydn&language=tlh")
    assert page.status == 200
    assert "No page of this collection is in the language &#39;tlh&#39;" in page.text
