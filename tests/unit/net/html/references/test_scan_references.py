"""Everything that a page refers to is listed with its kind and place, as the standard splits the source."""

import pytest

from gossamer.net.html.references import find_place, read_references


def find(source: str) -> list[tuple[str, str]]:
    return [(found.kind, found.url) for found in read_references(source.encode()).references]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a href=x>", [("anchor", "x")]),
        ("<A HREF='x?a&amp;b#c'>", [("anchor", "x?a&b#c")]),
        ("<area href=x>", [("area", "x")]),
        ("<img src=x longdesc=y>", [("image", "x"), ("longdesc", "y")]),
        ("<image src=x>", [("image", "x")]),
        ('<img srcset="a 1x, b(,) 2x,c">', [("srcset", "a"), ("srcset", "b(,)"), ("srcset", "c")]),
        ("<link rel='Alternate StyleSheet' href=x>", [("stylesheet", "x")]),
        ("<link rel='shortcut icon' href=x>", [("icon", "x")]),
        ("<link rel=alternate type=application/atom+xml href=x>", [("feed", "x")]),
        ("<link rel=alternate hreflang=de href=x>", [("alternate", "x")]),
        ("<link rel=canonical href=x><link rel=manifest href=y>", [("canonical", "x"), ("manifest", "y")]),
        ("<link rel=preload imagesrcset='a 1x' href=x>", [("preload", "x"), ("srcset", "a")]),
        ("<link rel=dns-prefetch href=x><link rel=next href=y>", [("hint", "x"), ("link", "y")]),
        (
            "<script src=x></script><iframe src=y></iframe><frame src=z>",
            [("script", "x"), ("iframe", "y"), ("frame", "z")],
        ),
        ("<object data=x></object><embed src=y>", [("object", "x"), ("embed", "y")]),
        (
            "<video src=x poster=y><source src=z><track src=t></video>",
            [("video", "x"), ("poster", "y"), ("source", "z"), ("track", "t")],
        ),
        ("<audio src=x></audio>", [("audio", "x")]),
        ("<form action=x><button formaction=y formmethod=post>", [("form", "x"), ("post-form", "y")]),
        ("<input type=image src=x><input src=y>", [("input", "x")]),
        ("<meta http-equiv=Refresh content='0; URL=\"x\"'>", [("refresh", "x")]),
        ("<meta property=og:image content=x><meta name=description content=y>", [("meta-image", "x")]),
        ("<body background=x><blockquote cite=y>", [("background", "x"), ("cite", "y")]),
        ("<style>@import 'x'; p { src: url(y) }</style>", [("css-import", "x"), ("css-url", "y")]),
        ("<p style='src:url(&quot;x&amp;y&quot;)'>", [("css-url", "x&y")]),
        ("<svg><use xlink:href=x /><image href=y /></svg>", [("use", "x"), ("image", "y")]),
        ("<base href=x><base href=y>", [("base", "x")]),
    ],
)
def test_each_kind_of_reference_is_found(source: str, expected: list[tuple[str, str]]) -> None:
    assert find(source) == expected


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- <a href=no> -->",
        "<!-- <a href=no> --!>",
        "<script>'<a href=no>'</script>",
        "<script><!-- <script> </script> <a href=no> --></script>",
        "<textarea><a href=no></textarea>",
        "<title><a href=no></title>",
        "<xmp><a href=no></xmp>",
        "<noframes><a href=no></noframes>",
        "<iframe><a href=no></iframe>",
        "<?x <a href=no?>",
        "<svg><![CDATA[ <a href=no> ]]></svg>",
        "< a href=no>",
        "</a href=no>",
        "<p title='<a href=no>'>",
    ],
)
def test_what_is_not_markup_holds_no_reference(hidden: str) -> None:
    assert find(f"{hidden}<a href=yes>") == [("anchor", "yes")]


def test_a_title_of_a_drawing_is_mark_up_and_not_the_title_of_the_page() -> None:
    found = read_references(
        b"<svg><title>drawing</title><style><a href=x></style></svg><title> the  page </title>"
    )
    assert found.title == "the page"
    assert [each.url for each in found.references] == ["x"]


def test_a_tag_that_leaves_a_drawing_ends_its_rules() -> None:
    assert find("<svg><g><p><style><a href=no></style><a href=yes>") == [("anchor", "yes")]


def test_references_in_a_template_are_inert_and_are_no_targets() -> None:
    found = read_references(b"<template><a href=x id=a></a><img></template><a href=y id=b>")
    assert [(each.url, each.inert) for each in found.references] == [("x", True), ("y", False)]
    assert found.targets == ["b"]
    assert found.images_without_alt == []


def test_ids_and_names_of_anchors_are_targets() -> None:
    found = read_references(b"<p id='a&amp;b'><a name=c><input name=d><a id=e name=f><p id=''>")
    assert found.targets == ["a&b", "c", "e", "f"]


def test_images_without_a_text_are_told_from_those_with_an_empty_one() -> None:
    source = b"<img src=a alt=''><img src=b><img>"
    assert read_references(source).images_without_alt == [source.index(b"<img src=b"), source.index(b"<img>")]


@pytest.mark.parametrize(
    ("source", "quote"),
    [("<a href=x>", ""), ("<a href='x'>", "'"), ('<a href = "x" >', '"'), ("<a href=x", None)],
)
def test_the_place_of_an_address_is_inside_its_quotes(source: str, quote: str | None) -> None:
    found = read_references(source.encode()).references
    assert [each.quote for each in found] == ([] if quote is None else [quote])
    assert all(source[each.start : each.end] == "x" for each in found)


def test_the_place_of_an_address_in_a_style_attribute_counts_in_the_source() -> None:
    source = b"<p style=\"a:'&auml;';src:url(&quot;x&amp;y&quot;)\">"
    (found,) = read_references(source).references
    assert source[found.start : found.end] == b"x&amp;y"
    assert found.syntax == "style"


def test_any_number_of_attributes_is_read_and_the_first_of_a_name_counts() -> None:
    many = " ".join(f"data-{number}=x" for number in range(1_000))
    assert find(f"<a {many} href=yes href=no>") == [("anchor", "yes")]


def test_bytes_of_another_encoding_keep_their_places() -> None:
    source = "<p>äöü<a href='ä.html'>".encode("latin-1")
    (found,) = read_references(source).references
    assert source[found.start : found.end] == "ä.html".encode("latin-1")


def test_a_place_is_counted_in_lines_and_characters() -> None:
    source = "<p>\näö<a href=x>".encode()
    place = find_place(source, read_references(source).references[0].start)
    assert (place.line, place.column) == (2, 11)
