"""Measure a recogniser trained without lists, only from a crawl of the lab's web in all its languages."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from command_line import run_benchmark
from gossamer.crawl.from_archive.language_samples import collect_from_web
from gossamer.crawl.task.task import Task
from gossamer.lab.server.serve_world import serving
from gossamer.lab.world.world import World
from gossamer.lab.writing.phrases import LANGUAGES
from gossamer.net.main_text.sentences import sentences
from gossamer.text.language.training.collect_sentences import SentenceCollector, is_sentence
from gossamer.text.language.training.evaluate_model import evaluate
from gossamer.text.language.training.train_model import TrainingResult, train
from gossamer.web import Web

# English first: a quarter of all pages are in it, and a third of the hosts declare it, or nothing.
_LANGUAGES = ("en", *(code for code in LANGUAGES if code != "en"))
_HOSTS = 3 * len(_LANGUAGES)
_PAGES = 1_800
_MEASURED_PAGES = 600


def measure() -> dict[str, float]:
    """Return the mean accuracy over languages on sentences of a web that was not crawled, in percent."""
    with tempfile.TemporaryDirectory(prefix="gossamer-language-") as folder:
        trained = _train(Path(folder))
    found = evaluate(
        _read_truth(World(seed=8, hosts=_HOSTS, pages=_MEASURED_PAGES, languages=_LANGUAGES)), trained.model
    )
    for code, taken, times in found.list_confusions()[:5]:
        print(f"  {code} taken for {taken or 'nothing'}: {times}", file=sys.stderr)
    return {"language.from_nothing": 100 * found.macro_accuracy}


def _train(folder: Path) -> TrainingResult:
    world = World(
        seed=7,
        hosts=_HOSTS,
        pages=_PAGES,
        languages=_LANGUAGES,
        naming="countries",
        foreign=0.25,
        misdeclared=0.3,
    )
    hosts = folder / "hosts"
    hosts.write_text("".join(f"{address} {name}\n" for name, address in world.host_map().items()), "utf-8")
    with serving(world) as running, Web(folder / "web") as web:
        web.run(
            [
                Task(
                    seeds=running.seeds,
                    scope="any",
                    delay_s=0.0,
                    allow_private=["127.0.0.0/8"],
                    hosts_file=str(hosts),
                )
            ]
        )
        collector = SentenceCollector()
        collect_from_web(web.store, web.folder / "archive", collector)
    return train(collector.to_sample(), None)


def _read_truth(world: World) -> Iterator[tuple[str, str]]:
    """Yield the sentences of all pages that are long enough for training, with their languages."""
    for url in world.graph().urls:
        page = world.page(url)
        if page is not None:
            yield from ((page.language, one) for one in sentences(page.main_text) if is_sentence(one))


if __name__ == "__main__":
    sys.exit(run_benchmark("language_training", measure, "--json" in sys.argv))
