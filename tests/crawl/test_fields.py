"""Fields of a task file become a table of the crawled pages, and a field that stops matching is reported."""

import csv
from pathlib import Path

import msgspec
import pytest
from pyarrow import parquet
from tests.crawl.harness import HTML, Pages, Toy, make_link_page

from gossamer.cli.main import run_verb
from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import serving

TASK = """
seeds = ["{seed}"]
[politeness]
delay_s = 0.0
adaptive = 0.0
robots = false
[fetching]
allow_private = ["127.0.0.0/8"]
[[fields]]
pages = "/product/"
name = "name"
select = "h1"
[[fields]]
pages = "/product/"
name = "price"
select = ".price"
type = "number"
required = true
[[fields]]
pages = "/product/"
name = "tags"
select = ".tag"
many = true
[[fields]]
pages = "/list"
name = "entry"
each = "li"
select = "b"
"""
PRODUCTS = 12


def make_shop(price_class: str) -> Toy:
    pages: Pages = {"127.0.0.1": {"/": make_link_page("/list", *(f"/product/{n}" for n in range(PRODUCTS)))}}
    site = pages["127.0.0.1"]
    site["/list"] = LabAnswer(200, HTML, b"<ul><li><b>one</b><li><b>two</b></ul>")
    for n in range(PRODUCTS):
        name = f"=Lamp {n}" if n else "Lamp"
        body = f"<h1>{name}</h1><p class={price_class}>{n},50 EUR<p><i class=tag>a</i><i class=tag>b</i>"
        site[f"/product/{n}"] = LabAnswer(200, HTML, body.encode())
    return Toy(pages)


def crawl_shop(folder: Path, price_class: str, port: int = 0) -> int:
    with serving(make_shop(price_class), port=port) as lab:
        (folder / "shop.toml").write_text(TASK.replace("{seed}", lab.url()))
        assert (
            run_verb(["crawl", "--task", str(folder / "shop.toml"), "--web", str(folder / "w"), "--json"])
            == 0
        )
        return lab.port


@pytest.mark.slow
def test_fields_become_a_table_and_drift_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    web = ["--web", str(tmp_path / "w")]
    port = crawl_shop(tmp_path, "price")
    assert run_verb(["export", "fields", str(tmp_path / "out.csv"), *web]) == 0
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lamps = {row["url"].rpartition("/")[2]: row for row in rows if "/product/" in row["url"]}
    assert len(lamps) == PRODUCTS
    assert lamps["0"]["name"] == "Lamp"
    assert lamps["3"]["name"] == "'=Lamp 3", "a spreadsheet must not run it"
    assert (lamps["3"]["price"], lamps["3"]["tags"]) == ("3.5", "a | b")
    assert [row["entry"] for row in rows if row["url"].endswith("/list")] == ["one", "two"]

    assert run_verb(["export", "fields", str(tmp_path / "out.parquet"), *web]) == 0
    table = parquet.read_table(tmp_path / "out.parquet")
    assert sorted(value for value in table["price"].to_pylist() if value is not None) == [
        n + 0.5 for n in range(PRODUCTS)
    ]
    assert ["a", "b"] in table["tags"].to_pylist()
    assert str(table.schema.field("fetched").type) == "timestamp[ms, tz=UTC]"
    capsys.readouterr()

    assert run_verb(["fields", *web, "--json"]) == 0
    verdicts = {one["name"]: one for one in map(msgspec.json.decode, capsys.readouterr().out.splitlines())}
    assert {name: one["verdict"] for name, one in verdicts.items()} == dict.fromkeys(
        ["name", "price", "tags", "entry"], "steady"
    )
    assert (verdicts["price"]["pages"], verdicts["price"]["matched"]) == (PRODUCTS, PRODUCTS)

    crawl_shop(tmp_path, "cost", port)
    capsys.readouterr()
    assert run_verb(["fields", *web]) == 1
    printed = capsys.readouterr()
    assert "the required field price stopped on " in printed.err
    assert f"{PRODUCTS} of {2 * PRODUCTS} copies of pages have it" in printed.err
    assert run_verb(["export", "fields", str(tmp_path / "later.csv"), *web]) == 0, (
        "the list has no price to lack"
    )


@pytest.mark.slow
def test_the_structured_data_of_a_page_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b"<meta property='og:title' content='\x1b[31mred'><h1>Lamp</h1><script type=application/ld+json>{\"@type\":\"Product\"}</script>"
    with serving(Toy({"127.0.0.1": {"/": LabAnswer(200, HTML, body)}})) as lab:
        crawl = [
            "crawl",
            lab.url(),
            "--web",
            str(tmp_path / "w"),
            "--no-robots",
            "--allow-private",
            "127.0.0.0/8",
        ]
        assert run_verb(crawl) == 0
        url = lab.url()
    capsys.readouterr()
    assert run_verb(["fields", url, "--web", str(tmp_path / "w")]) == 0
    shown = capsys.readouterr().out
    assert "json-ld: Product" in shown
    assert "og:title" in shown
    assert "\x1b" not in shown, "a page must not steer the terminal"
    assert run_verb(["fields", url, "--web", str(tmp_path / "w"), "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["items"][0]["type"] == "Product"
    assert run_verb(["fields", url + "other", "--web", str(tmp_path / "w")]) == 2
    assert run_verb(["fields", "--web", str(tmp_path / "w")]) == 2
    assert "there are no fields" in capsys.readouterr().err


def test_a_wrong_field_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = tmp_path / "t.toml"
    for line, says in {
        'selekt = "h1"': "a field has no key 'selekt'; did you mean 'select'?",
        'select = "h1["': "the field x: invalid CSS selector",
        'select = "h1"\ntype = "colour"': "cannot be 'colour': it is one of text, number, date, url",
        'select = "h1"\ntake = "everything"': "take",
    }.items():
        task.write_text(f'seeds = ["http://a.example/"]\n[[fields]]\nname = "x"\n{line}\n')
        assert run_verb(["crawl", "--task", str(task), "--web", str(tmp_path / "w")]) == 2
        assert says in capsys.readouterr().err
    assert not (tmp_path / "w").exists()


@pytest.mark.slow
def test_records_and_tables_of_all_pages_become_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = (
        b'<meta property="og:title" content="@Lamp"><script type=application/ld+json>'
        b'{"@graph":[{"@type":"Product","name":"=Lamp","offers":{"@type":"Offer","price":%d,"seller":{"name":"Acme"}}},{"@type":"WebPage"}]}'
        b"</script><table><caption>Prices</caption><tr><th>what<th>price<tr><td>-lamp<td>5</table><table><tr><td>layout</table>"
    )
    site: Pages = {"127.0.0.1": {"/": make_link_page(*(f"/product/{n}" for n in range(3)))}}
    for n in range(3):
        site["127.0.0.1"][f"/product/{n}"] = LabAnswer(200, HTML, body % n)
    web = ["--web", str(tmp_path / "w")]
    with serving(Toy(site)) as lab:
        assert run_verb(["crawl", lab.url(), *web, "--no-robots", "--delay", "0", "--allow-private", "127.0.0.0/8", "--json"]) == 0  # fmt: skip

    def export(*arguments: str) -> list[dict[str, str]]:
        out = tmp_path / "out.csv"
        out.unlink(missing_ok=True)
        assert run_verb(["export", arguments[0], str(out), *arguments[1:], *web]) == 0
        with out.open(newline="") as file:
            return list(csv.DictReader(file))

    products = export("records", "--type", "https://schema.org/product")
    assert sorted(row["offers.price"] for row in products) == ["0.0", "1.0", "2.0"]
    assert {(row["source"], row["type"], row["name"], row["offers.seller"]) for row in products} == {
        ("json-ld", "Product", "'=Lamp", "Acme")
    }
    assert {row["og:title"] for row in export("records", "--type", "OpenGraph")} == {"'@Lamp"}
    assert [row["type"] for row in export("records", "--include", "/product/1")] == ["Product", "WebPage", "OpenGraph"]  # fmt: skip
    rows = export("tables", "--include", "/product/1")
    assert [tuple(row.values())[2:] for row in rows] == [
        ("1", "Prices", "1", "what", "price"),
        ("1", "Prices", "2", "'-lamp", "5"),
    ]
    capsys.readouterr()
    assert run_verb(["export", "records", str(tmp_path / "a.parquet"), "--type", "Offer", *web, "--json"]) == 0  # fmt: skip
    assert msgspec.json.decode(capsys.readouterr().out)["rows"] == 3
    assert parquet.read_table(tmp_path / "a.parquet")["price"].to_pylist() == [0.0, 1.0, 2.0]
    assert run_verb(["export", "records", str(tmp_path / "b.csv"), "--type", "Person", *web]) == 1
    assert "gossamer fields URL" in capsys.readouterr().err
    for wrong in (["records"], ["tables", "c.txt"], ["tables", "c.csv", "--type", "x"], ["records", "c.csv", "--language", "de"]):  # fmt: skip
        assert run_verb(["export", *wrong, *web]) == 2
        assert capsys.readouterr().err.count("\n") == 1
