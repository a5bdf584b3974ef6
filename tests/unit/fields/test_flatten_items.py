"""Things that pages describe become rows."""

import json

import pytest

from gossamer.fields.flatten_items import MOST_RECORDS, ItemRecord, flatten, list_records
from gossamer.fields.structured_data import DataReader
from gossamer.net import html


def read(body: str, *types: str) -> list[ItemRecord]:
    document = html.read(body, "http://a.example/")
    return list(list_records(DataReader(document.tree), frozenset(types)))


def write_json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


LAMP = {
    "@context": "https://schema.org",
    "@type": ["Thing", "schema:Product"],
    "@id": "#lamp",
    "name": "Lamp",
    "inStock": True,
    "weight": 1.5,
    "image": ["a.png", {"@type": "ImageObject", "url": "b.png", "width": 3}],
    "offers": [{"@type": "Offer", "price": 5}, {"@type": "Offer", "price": 6}],
    "color": {"@value": "red"},
    "note": "",
}


def test_each_property_is_a_column_and_a_thing_within_has_its_own() -> None:
    (lamp,) = read(write_json_ld(LAMP), "product")
    assert lamp == ItemRecord(
        "json-ld",
        "Thing",
        {
            "id": ["#lamp"],
            "name": ["Lamp"],
            "inStock": ["true"],
            "weight": [1.5],
            "image": ["a.png", "b.png"],
            "image.width": [3],
            "offers.price": [5, 6],
            "color": ["red"],
        },
    )


def test_things_within_others_are_found_by_their_type() -> None:
    body = write_json_ld(
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": LAMP}, {"@type": "ListItem"}]}
    )
    assert [one.type for one in read(body, "offer")] == ["Offer", "Offer"]
    assert [one.type for one in read(body, "product")] == ["Thing"]
    assert [one.type for one in read(body)] == ["ItemList"], "without a type, things at the top"
    assert read(body, "person") == []


def test_microdata_rdfa_and_open_graph_are_records_too() -> None:
    body = (
        '<meta property="og:title" content="Lamp"><meta name="description" content="no card">'
        '<div itemscope itemtype="https://schema.org/Vehicle https://schema.org/Product"><b itemprop="name">Car</b>'
        '<p itemprop="brand" itemscope itemtype="https://schema.org/Brand"><i itemprop="name">Acme</i></p></div>'
        '<div vocab="https://schema.org/" typeof="Product"><b property="name">Bike</b></div>'
    )
    assert [(one.source, one.type, one.values) for one in read(body)] == [
        ("microdata", "Vehicle", {"name": ["Car"], "brand": ["Acme"]}),
        ("rdfa", "Product", {"name": ["Bike"]}),
        ("meta", "OpenGraph", {"og:title": ["Lamp"]}),
    ]
    assert [one.source for one in read(body, "product")] == ["microdata", "rdfa"]
    assert [one.source for one in read(body, "brand")] == ["microdata"]
    assert [one.source for one in read(body, "opengraph")] == ["meta"]


@pytest.mark.parametrize(
    "value",
    [
        {"@type": "P", **{f"name{n}": n for n in range(5_000)}},
        {"@type": "P", "a": list(range(15_000))},
        {"@type": "P", "": "x", " ": "y", "@x": 1, "n" * 50_000: "z"},
        [[[[["x"]]]]],
        {"@type": {"a": 1}, "name": None},
    ],
)
def test_strange_things_stay_small(value: object) -> None:
    for one in read(write_json_ld(value), "p"):
        assert len(one.values) <= 200
        assert all(len(name) <= 200 and len(cells) <= 1_000 for name, cells in one.values.items())


def test_nested_things_end_somewhere() -> None:
    value: dict[str, object] = {"@type": "P"}
    for _ in range(15):
        value = {"@type": "P", "a": value, "b": "x"}
    assert set(flatten(value)) == {"b", "a.b", "a.a.b", "a.a.a.b"}
    assert len(read(write_json_ld([value] * 900), "p")) <= MOST_RECORDS


def test_things_beyond_the_limit_of_a_page_are_left_out() -> None:
    things = [{"@type": "P", "a": list(range(900))} for _ in range(30)]
    body = write_json_ld(things) + '<p itemscope itemtype="P"><b itemprop="a">x</b></p>'
    assert 20 <= len(read(body, "p")) < 30
