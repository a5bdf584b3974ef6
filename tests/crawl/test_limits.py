"""Limits, scopes, filters and orders: a task fetches exactly the pages that it asks for, in its order."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.harness import (
    Follows,
    check_archive,
    check_state,
    crawl_truth,
    get_world,
    make_quick_task,
    read_pages,
    run,
    serve_lab,
)

from gossamer.crawl.task_counts import format_count
from gossamer.lab.options import Trouble
from gossamer.lab.server.serve_world import LabServer
from gossamer.lab.world.world import World
from gossamer.net import url as urls
from gossamer.web import Web

WORLD = World(seed=41, hosts=8, pages=260, trouble=Trouble(redirect=0.1))


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    with serve_lab(WORLD) as running:
        yield running


# Limits


@pytest.mark.slow
@pytest.mark.parametrize("pages", [1, 7, 60])
def test_the_limit_of_pages_is_exact_and_raising_it_fetches_the_rest(
    lab: LabServer, pages: int, tmp_path: Path
) -> None:
    web = tmp_path / "web"
    events = run(web, make_quick_task(lab, pages=pages))
    assert events.get_end().reason == f"limit reached: {format_count(pages, 'page')}"
    assert events.get_end().counts["downloaded"] == pages
    assert len(read_pages(web)) == pages
    check_state(web)
    again = run(web, again=True, pages=pages + 5)
    assert again.get_end().counts["downloaded"] == pages + 5
    last = run(web, again=True, pages=0)
    assert last.get_end().reason == "nothing left to fetch"
    assert set(read_pages(web)) == set(get_world(lab).reachable())
    check_state(web)
    check_archive(web)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 5])
def test_the_depth_limit_counts_the_fewest_clicks(lab: LabServer, depth: int, tmp_path: Path) -> None:
    web = tmp_path / "web"
    events = run(web, make_quick_task(lab, depth=depth))
    reached = {url: clicks for url, clicks in get_world(lab).reachable().items() if clicks <= depth}
    found = read_pages(web)
    assert {url: page.depth for url, page in found.items()} == reached
    assert events.get_end().counts["downloaded"] == len(reached)
    check_state(web)


@pytest.mark.slow
def test_the_shortest_path_is_found_even_if_its_pages_are_slow(tmp_path: Path) -> None:
    trouble = Trouble(slow=0.3, slow_s=0.15)
    with serve_lab(World(seed=43, hosts=6, pages=150, trouble=trouble)) as running:
        world = get_world(running)
        run(tmp_path / "web", make_quick_task(running, depth=3, order="depth", delay_s=0.001))
        reached = {url: clicks for url, clicks in world.reachable().items() if clicks <= 3}
        asked = Counter((entry.host, entry.target) for entry in running.log.entries())
    assert {url: page.depth for url, page in read_pages(tmp_path / "web").items()} == reached
    assert max(asked.values()) == 1, "a page was fetched twice"
    check_state(tmp_path / "web")


@pytest.mark.slow
def test_the_limit_of_pages_of_each_host_holds_over_restarts(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    run(web, make_quick_task(lab, per_host=4, pages=11))
    check_state(web)
    events = run(web, again=True, pages=0)
    assert events.get_end().reason == "nothing left to fetch"
    hosts = Counter(page.host for page in read_pages(web).values())
    assert set(hosts.values()) == {4}
    counts = events.get_end().counts
    assert counts["refused:per_host"] + counts["filtered:per_host"] > 0
    check_state(web)


@pytest.mark.slow
def test_the_time_limit_counts_all_runs_of_a_task(lab: LabServer, tmp_path: Path) -> None:
    web = tmp_path / "web"
    began_s = time.monotonic()
    first = run(web, make_quick_task(lab, time_s=1.5, delay_s=0.3)).get_end()
    assert time.monotonic() - began_s >= 1.5
    assert first.reason == "limit reached: 1.5 s"
    assert first.counts["queued"] > first.counts.get("finished", 0), "no page was left to fetch"
    again = run(web, again=True).get_end()
    assert again.reason == "limit reached: 1.5 s"
    assert again.counts.get("downloaded") == first.counts.get("downloaded"), "the time was used up before"
    more = run(web, again=True, time_s=4.0).get_end()
    assert more.reason == "limit reached: 4 s"
    with Web(web) as opened:
        [task] = opened.tasks()
    assert task.counts["elapsed_ms"] >= 4_000
    assert more.counts["downloaded"] > first.counts.get("downloaded", 0)
    assert more.counts["queued"] > more.counts["finished"], "no page was left to fetch"


@pytest.mark.slow
def test_the_limit_of_bytes_ends_a_task_with_the_page_that_reaches_it(lab: LabServer, tmp_path: Path) -> None:
    events = run(tmp_path / "web", make_quick_task(lab, body_bytes=50_000, connections=1))
    sizes = [event.body_bytes for event in events.visits]
    assert sum(sizes) >= 50_000
    assert sum(sizes[:-1]) < 50_000
    assert events.get_end().reason == "limit reached: 50,000 bytes"
    assert events.get_end().counts["bytes"] == sum(sizes)


@pytest.mark.slow
def test_an_expired_task_fetches_nothing(lab: LabServer, tmp_path: Path) -> None:
    events = run(tmp_path / "web", make_quick_task(lab, expires_s=time.time() - 1))
    assert events.get_end().reason == "limit reached: the task has expired"
    assert events.visits == []


# Scopes and filters


def list_scopes(lab: LabServer) -> dict[str, Follows]:
    world = get_world(lab)
    seed = lab.seeds[0]
    sites = {world.site(seed)}
    home = urls.host(seed)
    return {
        "page": lambda link, _: link.url == seed,
        "directory": lambda link, _: link.url.startswith(seed.rpartition("/")[0] + "/"),
        "host": lambda link, _: urls.host(link.url) == home,
        "site": lambda link, _: urls.host(link.url) == home or world.site(link.url) in sites,
        "any": lambda link, _: True,
        "external": lambda link, _: urls.host(link.url) != home,
    }


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["page", "directory", "host", "any", "external"])
def test_each_scope_follows_exactly_its_links(lab: LabServer, scope: str, tmp_path: Path) -> None:
    seeds = [lab.seeds[0]]
    events = run(tmp_path / "web", make_quick_task(lab, seeds=seeds, scope=scope))
    assert set(read_pages(tmp_path / "web")) == set(
        crawl_truth(get_world(lab), seeds, list_scopes(lab)[scope])
    )
    assert (events.get_end().counts.get("filtered:scope", 0) > 0) == (scope != "any")


@pytest.mark.slow
def test_the_scope_directory_works_below_the_root(lab: LabServer, tmp_path: Path) -> None:
    deep = [url for url in get_world(lab).reachable() if url.count("/") >= 5]
    seed = max(deep, key=lambda url: sum(other.startswith(url.rpartition("/")[0] + "/") for other in deep))
    folder = seed.rpartition("/")[0] + "/"
    run(tmp_path / "web", make_quick_task(lab, seeds=[seed], scope="directory"))
    expected = crawl_truth(get_world(lab), [seed], lambda link, _: link.url.startswith(folder))
    assert set(read_pages(tmp_path / "web")) == set(expected)
    assert len(expected) > 1


@pytest.mark.slow
def test_the_scope_site_takes_in_all_hosts_of_a_site(tmp_path: Path) -> None:
    with serve_lab(World(seed=44, hosts=9, pages=120, naming="names")) as running:
        world = get_world(running)
        hosts_file = tmp_path / "hosts"
        hosts_file.write_text("".join(f"{where} {host}\n" for host, where in running.host_map.items()))
        seeds = [running.seeds[0]]
        run(tmp_path / "web", make_quick_task(running, seeds=seeds, scope="site", hosts_file=str(hosts_file)))
        expected = crawl_truth(world, seeds, lambda link, _: world.site(link.url) == world.site(seeds[0]))
    assert set(read_pages(tmp_path / "web")) == set(expected)
    assert len({urls.host(url) for url in expected}) > 1


PATTERNS: dict[str, tuple[dict[str, Any], Follows]] = {
    "include": (
        {"include": ["/archive/", "/$"]},
        lambda link, _: "/archive/" in link.url or link.url.endswith("/"),
    ),
    "exclude": ({"exclude": ["/archive/"]}, lambda link, _: "/archive/" not in link.url),
    "include_hosts": (
        {"include_hosts": [r"^127\.1\.0\.[1-4]:"]},
        lambda link, _: urls.host(link.url).partition(":")[0] in {f"127.1.0.{n}" for n in range(1, 5)},
    ),
    "exclude_hosts": (
        {"exclude_hosts": [r"^127\.1\.0\.2:"]},
        lambda link, _: not urls.host(link.url).startswith("127.1.0.2:"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_of_addresses_and_hosts(lab: LabServer, name: str, tmp_path: Path) -> None:
    options, follows = PATTERNS[name]
    events = run(tmp_path / "web", make_quick_task(lab, **options))
    expected = crawl_truth(get_world(lab), lab.seeds, follows)
    assert set(read_pages(tmp_path / "web")) == set(expected)
    assert 1 < len(expected) < len(get_world(lab).reachable())
    assert events.get_end().counts[f"filtered:{name}"] > 0


# Orders


def walk(world: World, seed: str, deep: bool) -> list[str]:
    """List the pages of one host in the order of a queue, or of a stack."""
    waiting, seen, order = deque([seed]), {seed}, []
    while waiting:
        url = waiting.popleft()
        truth = world.page(url)
        assert truth is not None
        order.append(url)
        new = [link.url for link in truth.links if link.url not in seen]
        new = [url for url in dict.fromkeys(new) if urls.host(url) == urls.host(seed)]
        seen.update(new)
        if deep:
            waiting.extendleft(reversed(new))
        else:
            waiting.extend(new)
    return order


@pytest.mark.slow
@pytest.mark.parametrize("order", ["breadth", "depth"])
def test_breadth_and_depth_order_on_one_host(order: str, tmp_path: Path) -> None:
    with serve_lab(World(seed=45, hosts=1, pages=400)) as running:
        world = get_world(running)
        seed = running.seeds[0]
        events = run(tmp_path / "web", make_quick_task(running, seeds=[seed], order=order, delay_s=0))
    assert [event.url for event in events.visits] == walk(world, seed, order == "depth")
    check_state(tmp_path / "web")
