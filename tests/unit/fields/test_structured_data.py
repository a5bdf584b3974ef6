"""What pages offer to programs is read by each of its standards, and no page costs more than its size."""

import json
from typing import Any

import pytest

from gossamer.fields.json_ld import MOST_BLOCK_BYTES
from gossamer.fields.limit_values import MOST_DEPTH, ValueBudget
from gossamer.fields.page_tables import MOST_CELLS
from gossamer.fields.structured_data import DataReader, PageData, find_values
from gossamer.net.html.parse_tree import parse_page


def read(source: str) -> PageData:
    return DataReader(parse_page(source)).read_all()


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def test_json_ld_of_objects_lists_and_graphs() -> None:
    data = read(
        script(
            '{"@context": "https://schema.org", "@type": "Product", "name": "Lamp", "offers": {"price": 9.5}}'
        )
        + script('[{"@type": ["Person", "Author"], "name": "A"}, {"@type": "http://schema.org/Event"}]')
        + script('<!-- {"@graph": [{"@type": "WebSite"}, {"@type": "Page"}]} -->;')
    )
    assert [(one.source, one.type) for one in data.items] == [
        ("json-ld", "Product"),
        ("json-ld", "Person"),
        ("json-ld", "Event"),
        ("json-ld", "WebSite"),
        ("json-ld", "Page"),
    ]
    assert data.items[0].properties["offers"] == {"price": 9.5}


MICRODATA = """<div itemscope itemtype="https://schema.org/Product">
<h1 itemprop="name">A  lamp</h1><img itemprop="image" src="/lamp.png"><meta itemprop="sku" content="L1">
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="9.50">9,50 €</b>
<time itemprop="validFrom" datetime="2026-01-02">soon</time></div></div><p itemprop="stray">x</p>"""
RDFA = """<div vocab="https://schema.org/" typeof="Product"><h1 property="name">A lamp</h1>
<div property="offers" typeof="Offer"><b property="schema:price" content="9.50">9,50 €</b></div></div>"""


@pytest.mark.parametrize(("source", "text"), [("microdata", MICRODATA), ("rdfa", RDFA)])
def test_items_within_items(source: str, text: str) -> None:
    [item] = read(text).items
    assert (item.source, item.type) == (source, "Product")
    assert item.properties["name"] == ["A lamp"]
    [offer] = item.properties["offers"]
    assert offer["@type"] == "Offer"
    assert list(find_values([item], "Product.offers.price")) == ["9.50"]
    assert list(find_values([item], "product.Name")) == ["A lamp"]
    assert list(find_values([item], "Person.name")) == []


@pytest.mark.parametrize(
    "body",
    [
        '<script type="application/ld+json">{"@type": ["Vehicle", "schema:Product"], "name": "Car"}</script>',
        '<p itemscope itemtype="https://schema.org/Vehicle https://schema.org/Product"><b itemprop="name">Car</b>',
    ],
    ids=["json-ld", "microdata"],
)
def test_a_thing_with_several_types_is_found_by_each(body: str) -> None:
    items = DataReader(parse_page(body)).items
    assert [(one.type, one.other_types) for one in items] == [("Vehicle", ("Product",))]
    assert list(find_values(items, "Product.name")) == list(find_values(items, "Vehicle.name")) == ["Car"]


def test_microdata_takes_the_machine_readable_form() -> None:
    [item] = read(MICRODATA).items
    assert item.properties["image"] == ["/lamp.png"]
    assert item.properties["sku"] == ["L1"]
    assert list(find_values([item], "Product.offers.validFrom")) == ["2026-01-02"]


def test_meta_elements_with_open_graph_and_twitter() -> None:
    data = read(
        '<meta property="og:title" content=" T "><meta name="Twitter:card" content="c"><meta name=description content=d>'
        '<meta name=description content=second><meta charset=utf-8><meta name=empty content="">'
    )
    assert data.meta == {"og:title": "T", "twitter:card": "c", "description": "d"}


def test_tables_with_spans_and_captions() -> None:
    [table] = read(
        "<table><caption>Prices</caption><tr><th rowspan=2>Lamp<th colspan=2>Price</tr>"
        "<tr><td>net<td>gross</tr><tr><td>A<td>1<td>2</tr></table><table><tr><td>one row</table>"
    ).tables
    assert table.caption == "Prices"
    assert table.rows == [["Lamp", "Price", "Price"], ["Lamp", "net", "gross"], ["A", "1", "2"]]


def nest(depth: int) -> str:
    return "[" * depth + "]" * depth


DAG = "".join(f"<p id=i{i} itemprop=p itemscope itemref='i{i + 1} i{i + 2}'></p>" for i in range(60))
HOSTILE = {
    "not JSON": script("{broken") + script("") + script("nul"),
    "JSON nested deeply": script(nest(200_000)),
    "JSON nested at the limit": script('{"a":' * 90 + "1" + "}" * 90),
    "a large JSON": script('{"a": "' + "x" * (MOST_BLOCK_BYTES + 1) + '"}'),
    "many small JSON": script('{"@type": "A"}') * 5_000,
    "a wide JSON": script(json.dumps({"@type": "A", "a": [[] for _ in range(200_000)]})),
    "a long number": script('{"@type": "A", "n": ' + "9" * 100_000 + "}"),
    "half a surrogate pair": script(r'{"@type": "A", "n": "\ud800"}'),
    "references that multiply": "<div itemscope itemref=i0></div>" + DAG,
    "references in a circle": "<p id=a itemscope itemprop=x itemref=b></p><p id=b itemscope itemprop=y itemref=a></p>",
    "items nested deeply": "<div itemscope itemprop=a>" * 2_000 + "x",
    "types nested deeply": "<div typeof=A property=a>" * 2_000 + "x",
    "many properties": "<div itemscope>" + "<p itemprop='a b c d'>x" * 50_000,
    "our own name as a property": "<div itemscope><p itemscope itemprop=a><b itemprop='@type'>x</b></p></div>",
    "spans that multiply": "<table>" + "<tr><td rowspan=60000 colspan=1000>x</td></tr>" * 300 + "</table>",
    "tables in tables": "<table><tr><td>" * 1_000,
    "a table without end": "<table>" + "<tr><td>x" * 30_000,
    "many metas": "<meta name=a content=b>" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_costs_more_than_its_size(name: str) -> None:
    data = read(HOSTILE[name])
    assert sum(len(row) for table in data.tables for row in table.rows) <= 2 * MOST_CELLS
    json.dumps([one.properties for one in data.items], ensure_ascii=False).encode()


def test_values_beyond_the_limits_are_left_out() -> None:
    deep: Any = "x"
    for _ in range(50):
        deep = [deep]
    budget = ValueBudget()
    limited = budget.limit(deep)
    for _ in range(MOST_DEPTH + 1):
        assert isinstance(limited, list)
        [limited] = limited
    assert limited is None
    assert budget.cut
    few = ValueBudget(most=3)
    assert few.limit([1, 2, 3, 4]) == [1, 2]
    assert few.cut
