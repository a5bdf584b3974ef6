"""Pages that need JavaScript: their responses lack what the truth has, and their scripts find it."""

import json

import pytest
from tests.unit.lab.world_reader import ask, links_in, truth, words

from gossamer.errors import BadInput
from gossamer.lab.options import Shape
from gossamer.lab.script_options import RESTING_SCRIPTS, RESTLESS_SCRIPTS, Scripted
from gossamer.lab.scripts.probe_script import ATTEMPTS
from gossamer.lab.world.world import World

_KINDS = (*RESTING_SCRIPTS, *RESTLESS_SCRIPTS)


def make_world(scripted: Scripted, pages: int = 300) -> World:
    return World(seed=5, hosts=4, pages=pages, shape=Shape(groups=()), languages=("en",), scripted=scripted)


@pytest.fixture(scope="module")
def mixed() -> World:
    return make_world(Scripted(**dict.fromkeys(_KINDS, 0.055)))  # type: ignore[arg-type]


def find_pages(world: World, kind: str) -> list[str]:
    urls = map(world.url, range(world.options.pages))
    return [url for url in urls if truth(world, url).scripted == kind]


@pytest.mark.parametrize("kind", _KINDS)
def test_every_kind_has_pages_whose_script_is_there(mixed: World, kind: str) -> None:
    url = find_pages(mixed, kind)[0]
    html = ask(mixed, url).body.decode()
    assert "<script" in html
    if kind != "links":
        assert f"/scripts/{kind}.js" in html
        script = ask(mixed, mixed_address(url, f"/scripts/{kind}.js"))
        assert script.status == 200
        assert len(script.body) > 10


def mixed_address(url: str, path: str) -> str:
    return "/".join(url.split("/")[:3]) + path


@pytest.mark.parametrize("kind", [kind for kind in RESTING_SCRIPTS if kind not in ("lazy", "links")])
def test_shells_have_no_text_and_no_links_and_the_file_of_their_script_has_both(
    mixed: World, kind: str
) -> None:
    url = find_pages(mixed, kind)[0]
    html, page = ask(mixed, url).body.decode(), truth(mixed, url)
    assert page.links
    assert not links_in(html, url)
    assert words(page.main_text)[0] not in words(html.partition("<body")[2])
    source = html.partition('data-from="')[2].partition('"')[0]
    answer = ask(mixed, mixed_address(url, source))
    body = json.loads(answer.body)["body"]
    assert links_in(f"<body>{body}", url) == {(link.type, link.url) for link in page.links}
    assert (answer.fault is not None) == (kind == "slow")


def test_a_script_has_the_addresses_of_links(mixed: World) -> None:
    url = find_pages(mixed, "links")[0]
    html, page = ask(mixed, url).body.decode(), truth(mixed, url)
    assert not links_in(html, url)
    assert words(page.main_text)[0] in words(html)


@pytest.mark.parametrize("kind", ["lazy", *RESTLESS_SCRIPTS])
def test_pages_that_never_rest_have_text_and_links_without_a_script(mixed: World, kind: str) -> None:
    url = find_pages(mixed, kind)[0]
    html, page = ask(mixed, url).body.decode(), truth(mixed, url)
    assert links_in(html, url) >= {(link.type, link.url) for link in page.links}
    assert len(page.pictures) == (3 if kind == "lazy" else 0)
    for picture in page.pictures:
        assert ask(mixed, picture).body.startswith(b"<svg")


def test_a_crawler_without_scripts_reaches_less() -> None:
    world = make_world(Scripted.all(0.6))
    whole, less = world.reachable(), world.reachable(scripts=False)
    assert set(less) < set(whole)
    plain = World(seed=5, hosts=4, pages=300, shape=Shape(groups=()), languages=("en",))
    assert whole == plain.reachable()


def test_the_share_is_that_of_all_kinds_together() -> None:
    world = make_world(Scripted.all(0.3), pages=2_000)
    count = sum(truth(world, world.url(number)).scripted != "" for number in range(0, 2_000, 2))
    assert 250 <= count <= 350


def test_pages_that_need_no_script_have_no_script_files(mixed: World) -> None:
    url = find_pages(mixed, "")[1]
    number = truth(mixed, url).number
    assert ask(mixed, mixed_address(url, f"/scripts/page/{number}")).status == 404
    assert ask(mixed, mixed_address(url, "/scripts/page/999999")).status == 404
    assert ask(mixed, mixed_address(url, "/scripts/nothing.js")).status == 404
    plain = make_world(Scripted(), pages=10)
    for path in ("/scripts/client.js", "/scripts/tick", "/scripts/to?http://127.0.0.9/"):
        assert ask(plain, mixed_address(plain.url(0), path)).status == 404


def test_probes_try_more_than_a_hundred_ways() -> None:
    world = make_world(Scripted(probes=1.0, probed="127.0.0.9:8099"))
    script = ask(world, mixed_address(world.url(0), "/scripts/probes.js")).body.decode()
    assert ATTEMPTS > 100
    for spelling in ("127.0.0.9:8099", "2130706441:8099", "0x7f000009:8099", "[::ffff:127.0.0.9]:8099"):
        assert f"'{spelling}'" in script


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"client": 1.1}, "client"),
        ({"client": 0.6, "hang": 0.6}, "in total"),
        ({"slow_s": -1.0}, "slow_s"),
        ({"probed": "10.0.0.1:80"}, "loopback"),
        ({"probed": "127.0.0.1"}, "loopback"),
        ({"probed": "127.0.0.1:0"}, "loopback"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, float], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Scripted(**options)  # type: ignore[arg-type]
