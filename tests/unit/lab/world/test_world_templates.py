"""Templates add the same links to all pages of a host, and the truth says which."""

import pytest
from tests.unit.lab.world_reader import ask, links_in, truth

from gossamer.errors import BadInput
from gossamer.lab.options import Changes, Shape, Templates
from gossamer.lab.world.world import World

TEMPLATES = Templates(navigation=4, section=2, footer=3, licences=2)


def make_world(**shape: object) -> World:
    return World(seed=5, hosts=3, pages=90, languages=("en",), shape=Shape(groups=(), **shape))  # type: ignore[arg-type]


@pytest.mark.slow
def test_every_page_has_the_links_of_its_host() -> None:
    world, plain = make_world(templates=TEMPLATES), make_world()
    repeated: dict[str, list[set[str]]] = {}
    for number in range(90):
        url = world.url(number)
        page = truth(world, url)
        assert len(page.template) == len(page.links)
        assert links_in(ask(world, url).body.decode(), url) == {(link.type, link.url) for link in page.links}
        own = [link.url for link, flag in zip(page.links, page.template, strict=True) if not flag]
        assert set(own) == {link.url for link in truth(plain, url).links}
        found = {link.url for link, flag in zip(page.links, page.template, strict=True) if flag}
        assert url not in found
        repeated.setdefault(url.split("/")[2], []).append(found | {url})
    for pages in repeated.values():
        assert len(set.intersection(*pages)) >= 7  # less where two places link to the same page


def test_the_order_of_template_links_is_the_same_on_all_pages() -> None:
    world = make_world(templates=Templates(navigation=4))
    for number in range(90):
        page = truth(world, world.url(number))
        flags = list(page.template)
        assert flags == sorted(flags, reverse=True)


def test_the_true_graph_is_that_of_the_other_links() -> None:
    assert list(make_world(templates=TEMPLATES).graph().edges) == list(make_world().graph().edges)


def test_templates_do_not_change_when_pages_appear() -> None:
    world = World(
        seed=5,
        hosts=3,
        pages=90,
        shape=Shape(templates=TEMPLATES),
        changes=Changes(appearing=0.5, appear_days=1),
    )
    url = world.seeds()[0]
    early, late = (world.page(url, now_s) for now_s in (0.0, 1e7))
    assert early is not None
    assert late is not None
    assert sum(early.template) == sum(late.template)
    assert len(early.links) < len(late.links)


@pytest.mark.slow
def test_many_pages_link_to_the_hub_of_their_host_anywhere_in_the_text() -> None:
    world = World(seed=5, hosts=1, pages=200, shape=Shape(hub=0.9))
    hub = next(world.url(number) for number in range(200) if "/p1." in world.url(number) or "page=1" in world.url(number)[-6:] or "/p1/" in world.url(number))  # fmt: skip
    pages = [truth(world, world.url(number)) for number in range(200)]
    core = [page for page in pages if page.region == "core" and page.url != hub]
    linking = [page for page in core if hub in [link.url for link in page.links]]
    assert len(linking) >= 0.5 * len(core)


def test_hosts_can_have_pages_of_all_topics() -> None:
    for mixed in (False, True):
        world = World(
            seed=5,
            hosts=4,
            pages=400,
            topics=("law", "music", "cooking"),
            shape=Shape(groups=(), mixed_hosts=mixed),
        )
        host = world.url(0).split("/")[2]
        topics = [world.about(world.url(number))[0] for number in range(400) if host in world.url(number)]
        most = max(topics.count(topic) for topic in set(topics)) / len(topics)
        assert (most < 0.35) == mixed


def test_impossible_templates_are_refused() -> None:
    with pytest.raises(BadInput, match="navigation must be between 0 and 100"):
        Templates(navigation=-1)
