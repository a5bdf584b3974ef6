"""The graph of a crawled web equals the lab's truth: links, regions of the bow-tie, and hosts."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gossamer.crawl.task.task import Task
from gossamer.graph.structure.bowtie import Region, bowtie
from gossamer.lab.options import Trouble
from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.web import Web

LAB_REGIONS = {
    Region.SCC: "core",
    Region.IN: "in",
    Region.OUT: "out",
    Region.TUBES: "tubes",
    Region.INTENDRILS: "tendrils",
    Region.OUTTENDRILS: "tendrils",
    Region.DISC: "disconnected",
}


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [Trouble(), Trouble(redirect=0.2)], ids=["plain", "redirects"])
def test_the_graph_of_a_crawl_equals_the_truth_of_the_lab(tmp_path: Path, trouble: Trouble) -> None:
    world = World(seed=11, hosts=6, pages=400, trouble=trouble)
    with serving(world) as lab, Web(tmp_path / "web") as web:
        served = lab.world  # with its port
        assert isinstance(served, World)
        seeds = served.seeds(everywhere=True)
        web.run([Task(seeds=seeds, scope="any", delay_s=0.0, allow_private=["127.0.0.0/8"])])
        truth = served.graph()
        graph = web.graph()
        names = graph.names.of(range(graph.nodes))
        assert sorted(names) == sorted(truth.urls)
        ends = zip(graph.link_sources().tolist(), graph.targets.tolist(), strict=True)
        assert {(names[a], names[b]) for a, b in ends} == {(a, b) for a, b in truth.edges if a != b}
        regions = dict(zip(truth.urls, truth.regions, strict=True))
        found = {names[v]: LAB_REGIONS[Region(region)] for v, region in enumerate(bowtie(graph).regions)}
        assert found == regions
        hosts = web.graph(unit="hosts")
        linked = zip(hosts.names.of(hosts.link_sources()), hosts.names.of(hosts.targets), strict=True)
        pairs = {(urlsplit(a).netloc, urlsplit(b).netloc) for a, b in truth.edges}
        assert set(linked) == {(a, b) for a, b in pairs if a != b}
        assert hosts.nodes == 6
