from gossamer.net.fingerprint import text_fingerprints
from gossamer.records import Page
from gossamer.search.index.read_archived_page import read_page

TEXT = "Die Maschinen treiben Pumpen in tiefen Gruben, und ihre Kessel brauchen jeden Tag frisches Wasser für den Dampf."


def page(kind: str, url: str) -> Page:
    return Page(7, url, "a.example", 1, 2, 1.0, 200, kind, words=9, simhash=5)


def test_html_is_read_in_parts() -> None:
    body = f"<title>T</title><ul><li><a href=/>Menu</a></ul><h1>H</h1><p>{TEXT} {TEXT}</p>".encode()
    found = read_page(page("html", "https://a.example/x"), body)
    assert (found.title, found.headings, found.words, found.simhash) == ("T", ("H",), 9, 5)
    assert TEXT in found.main
    assert "Menu" in found.main + found.rest


def test_plain_text_is_read_whole_with_its_file_name_as_title() -> None:
    headers = (("content-type", "text/plain; charset=iso-8859-1"), ("x-robots-tag", "noindex, nosnippet"))
    found = read_page(page("text", "https://a.example/b/n%C3%B6te.txt?x=1"), TEXT.encode("latin-1"), headers)
    assert (found.title, found.main, found.rest) == ("nöte.txt", TEXT, "")
    assert (found.simhash, found.words) == text_fingerprints(TEXT)[1:]
    assert (found.directives.index, found.directives.snippet) == (False, False)
