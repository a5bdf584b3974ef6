"""Declared fields are taken from the pages that they belong to, as values of their type."""

from typing import Any

import pytest

from gossamer.errors import BadInput
from gossamer.field_rule import FieldRule
from gossamer.fields.convert_value import convert_value, parse_number
from gossamer.fields.extract_fields import FieldExtractor
from gossamer.net import html

PAGE = """<html lang=de><title>Lampen</title><base href="/shop/"><meta property="og:title" content="OG">
<script type="application/ld+json">{"@type": "Product", "offers": [{"price": "1.234,50"}, {"price": "2"}]}</script>
<h1> Alle <b>Lampen</b> </h1><span class=price>1.234 €</span><time datetime="2026-03-04">heute</time>
<div class=item><a href="eins">Eins</a><i>1,5</i></div><div class=item><a href="zwei">Zwei</a></div>
<ul><li>a<li>b<li>c</ul>"""
URL = "http://a.example/product/7"


def extract(*rules: dict[str, Any], url: str = URL, page: str = PAGE) -> list[dict[str, Any]]:
    extractor = FieldExtractor([FieldRule(**rule) for rule in rules])
    return [dict(row.cells) for row in extractor.extract(html.read(page, url))]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ({"select": "h1"}, "Alle Lampen"),
        ({"select": "h1", "take": "html"}, "Alle <b>Lampen</b>"),
        ({"select": ".item a", "take": "attr:href"}, "eins"),
        ({"select": ".item a", "take": "attr:href", "type": "url"}, "http://a.example/shop/eins"),
        ({"select": ".item a", "many": True}, ["Eins", "Zwei"]),
        ({"select": ".price", "type": "number"}, 1234.0),
        ({"select": "time", "take": "attr:datetime", "type": "date"}, 1_772_582_400.0),
        ({"select": "li", "many": True}, ["a", "b", "c"]),
        ({"data": "Product.offers.price", "type": "number", "many": True}, [1234.5, 2.0]),
        ({"meta": "OG:title"}, "OG"),
    ],
)
def test_a_value(rule: dict[str, Any], value: Any) -> None:
    assert extract({"name": "x", **rule}) == [{"x": value}]


def test_a_field_without_a_value_is_missing() -> None:
    extractor = FieldExtractor(
        [FieldRule(name="x", select=".none"), FieldRule(name="n", select="h1", type="number")]
    )
    [row] = extractor.extract(html.read(PAGE, URL))
    assert row.cells == {}
    assert row.missing == {"x", "n"}


def test_fields_belong_to_pages_by_their_url() -> None:
    rules = (
        {"name": "x", "select": "h1", "pages": "/product/"},
        {"name": "y", "select": "title", "pages": "/other"},
    )
    assert extract(*rules) == [{"x": "Alle Lampen"}]
    assert extract(*rules, url="http://a.example/other/") == [{"y": "Lampen"}]
    assert extract(*rules, url="http://a.example/about") == []


def test_each_item_becomes_a_row_with_the_fields_of_its_page() -> None:
    rows = extract(
        {"name": "title", "select": "h1"},
        {"name": "to", "each": ".item", "select": "a", "take": "attr:href"},
        {"name": "size", "each": ".item", "select": "i", "type": "number"},
    )
    assert rows == [
        {"title": "Alle Lampen", "to": "eins", "size": 1.5},
        {"title": "Alle Lampen", "to": "zwei"},
    ]


def test_a_page_without_items_lacks_their_fields() -> None:
    extractor = FieldExtractor([FieldRule(name="x", each=".none", select="a")])
    [row] = extractor.extract(html.read(PAGE, URL))
    assert row.missing == {"x"}


def test_of_two_rules_with_one_name_the_first_that_matches_counts() -> None:
    assert extract({"name": "x", "select": ".none"}, {"name": "x", "select": "h1"}) == [{"x": "Alle Lampen"}]


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ([], "there are no fields"),
        ([{"name": "x"}], "does not say where it stands"),
        ([{"name": "x", "select": "h1", "meta": "m"}], "has select and meta"),
        ([{"name": "x", "each": ".a", "meta": "m"}], "give select, not meta"),
        ([{"name": "x", "select": "h1["}], "the field x: invalid CSS selector"),
        ([{"name": "x", "select": "h1", "pages": "("}], "the field x: '\\(' is not a regular expression"),
        ([{"name": "x", "select": "a"}, {"name": "x", "select": "b", "type": "number"}], "declared twice"),
        ([{"name": "url", "select": "a"}], "choose another name"),
    ],
)
def test_a_rule_that_cannot_work_is_refused(rules: list[dict[str, Any]], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        extract(*rules)


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("$1,234.56", "", 1234.56),
        ("1.234,56 €", "", 1234.56),
        ("1 234,56", "fr", 1234.56),
        ("1\u00a0234\u00a0567", "", 1_234_567),
        ("1.234", "", 1.234),
        ("1.234", "de-DE", 1234),
        ("1,234", "en", 1234),
        ("1,234", "de", 1.234),
        ("0.125", "de", 0.125),
        ("1,234,567", "", 1_234_567),
        ("-3.5 °C", "", -3.5),
        ("−3", "", -3),
        ("CHF 1'200.–", "", 1200),
        ("12 of 20", "", 12),
        ("none", "", None),
        ("9" * 100, "", None),
    ],
)
def test_numbers_as_people_write_them(text: str, language: str, number: float | None) -> None:
    assert parse_number(text, language) == number


def test_what_is_not_of_its_type_is_no_value() -> None:
    assert convert_value("soon", "date", URL) is None
    assert convert_value("javascript:alert(1)", "url", URL) is None
