"""Module paths that documentation of earlier versions named: they still import, as the modules that replaced them."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER_NAMES = {
    "gossamer.crawl.reading": "gossamer.crawl.read_page",
    "gossamer.graph.bowtie": "gossamer.graph.structure.bowtie",
    "gossamer.graph.clusters": "gossamer.graph.groups.clusters",
    "gossamer.graph.cores": "gossamer.graph.groups.bipartite_cores",
    "gossamer.graph.density": "gossamer.graph.groups.density",
    "gossamer.graph.pagerank": "gossamer.graph.ranking.pagerank",
    "gossamer.lab.answer": "gossamer.lab.server.answer",
    "gossamer.lab.clock": "gossamer.lab.server.clock",
    "gossamer.lab.service": "gossamer.lab.server.handle_request",
    "gossamer.search.answering": "gossamer.search.answers.answer_query",
    "gossamer.search.entries": "gossamer.search.index.page_entry",
    "gossamer.store.models": "gossamer.store.model_folder",
    "gossamer.store.openings": "gossamer.store.click_counts",
    "gossamer.text.language.blocks": "gossamer.text.language.detection.block_languages",
    "gossamer.text.language.corpus": "gossamer.text.language.detection.corpus_sentences",
}


class _FormerNames:
    """Imports a former name as the module that replaced it.

    It does not inherit from `importlib.abc`: importing that takes 4 ms, which every start of the program would pay.
    """

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the signature is Python's
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname not in FORMER_NAMES:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(FORMER_NAMES[spec.name])
        self._specs[module.__name__] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back; it was executed under its present name."""
        module.__spec__ = self._specs.pop(module.__name__)


def accept_former_names() -> None:
    """Let Python find modules by their former names; they are looked up only after everything else."""
    sys.meta_path.append(_FormerNames())
