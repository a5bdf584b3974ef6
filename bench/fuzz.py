"""Feed damaged pages, robots files, sitemaps and addresses to `net/` for a limited time; nothing may raise.

Inputs are real pages where they are installed, and small samples; each round damages one of them in a few places (bytes
changed, pieces cut, repeated and replaced, special fragments inserted). To repeat a finding, use the same seed:
python bench/fuzz.py --seed N --seconds 60
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from fuzzing.damage import SAMPLES, damage
from fuzzing.page_targets import ask_robots, read_all, resolve
from gossamer.net import encoding, fingerprint, media_type
from gossamer.net.sitemap import read_sitemap
from pages import read_documentation_pages

TARGETS: dict[str, Callable[[bytes], object]] = {
    "html": read_all,
    "robots": ask_robots,
    "sitemap": lambda body: read_sitemap.read(body, "http://h.example/sitemap.xml"),
    "encoding": lambda body: encoding.decode(body, body[:40].decode("latin-1")),
    "mime": lambda body: media_type.detect_kind(body[:30].decode("latin-1"), body, "http://h.example/a.pdf"),
    "url": resolve,
}


def fuzz(seconds: float, seed: int, material: Iterable[bytes]) -> dict[str, float]:
    """Run rounds until the time is over; save inputs that raise in bench/results/."""
    chance = random.Random(seed)
    stock = [*SAMPLES * 5, *material]
    rounds, crashes, slowest_s = 0, 0, 0.0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        body = damage(chance.choice(stock), chance)
        for name, target in TARGETS.items():
            began = time.process_time()
            try:
                target(body)
            except Exception as error:  # noqa: BLE001 - any exception at all is the finding
                crashes += 1
                keep(body, name, error)
            slowest_s = max(slowest_s, time.process_time() - began)
        rounds += 1
    return {"fuzz.rounds": float(rounds), "fuzz.crashes": float(crashes), "fuzz.slowest_s": slowest_s}


def keep(body: bytes, target: str, error: Exception) -> None:
    """Save an input that raised, and print the error."""
    folder = Path(__file__).parent / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"crash-{target}-{fingerprint.text_digest(repr(body)) & 0xFFFFFFFF:08x}.bin"
    path.write_bytes(body)
    print(f"{target}: {type(error).__name__}: {error}  (input in {path.name})", file=sys.stderr)


def measure(seconds: float = 30.0, seed: int = 20_011) -> dict[str, float]:
    """Fuzz for the benchmark run."""
    return fuzz(seconds, seed, [page.body for page in read_documentation_pages()[:40]])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=20_011)
    arguments = parser.parse_args()
    found = measure(arguments.seconds, arguments.seed)
    print(found)
    sys.exit(found["fuzz.crashes"] > 0)
