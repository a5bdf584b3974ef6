"""Module paths that documentation of earlier versions named still import, with the names that it used."""

from importlib import import_module

import pytest

from gossamer.former_names import FORMER_NAMES

# Every module and name of README, docs and examples before modules moved to smaller packages.
DOCUMENTED = {
    "gossamer.crawl.reading": "Reading",
    "gossamer.graph.bowtie": "bowtie",
    "gossamer.graph.clusters": "clusters",
    "gossamer.graph.cores": "cores",
    "gossamer.graph.density": "CLUSTER_PRESETS CORE_PRESETS",
    "gossamer.graph.files": "read",
    "gossamer.graph.graph": "from_edges",
    "gossamer.graph.pagerank": "pagerank",
    "gossamer.lab": "World serving",
    "gossamer.lab.answer": "Answering",
    "gossamer.lab.clock": "PretendClock",
    "gossamer.lab.options": "Changes",
    "gossamer.lab.server": "serving",
    "gossamer.lab.service": "Limits",
    "gossamer.lab.world": "World",
    "gossamer.net": "fingerprint html url",
    "gossamer.net.html": "read",
    "gossamer.records": "Link Page",
    "gossamer.search.answering": "search",
    "gossamer.search.entries": "Entry",
    "gossamer.search.index": "Index",
    "gossamer.store.models": "",
    "gossamer.store.openings": "",
    "gossamer.text.language": "Model detect detect_many",
    "gossamer.text.language.blocks": "languages_of",
    "gossamer.text.language.corpus": "sentences_of",
    "gossamer.text.topics": "Example train_topic",
}


@pytest.mark.parametrize(("module", "names"), DOCUMENTED.items())
def test_documented_names_import(module: str, names: str) -> None:
    imported = import_module(module)
    assert [name for name in names.split() if not hasattr(imported, name)] == []


@pytest.mark.parametrize(("former", "present"), FORMER_NAMES.items())
def test_a_former_name_is_the_same_module(former: str, present: str) -> None:
    assert import_module(former) is import_module(present)
