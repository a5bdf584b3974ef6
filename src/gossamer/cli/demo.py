"""`gossamer demo`: the program at work on a small synthetic web, within a minute."""

import time
from collections import Counter, deque
from typing import Annotated, Any

import typer

_TROUBLE: dict[str, Any] = {
    "redirect": 0.04,
    "near_copy": 0.04,
    "not_found": 0.02,
    "frames": 0.02,
    "image_map": 0.03,
    "sessions": 0.2,
}
_NEAR_BITS = 3


def demo(
    pages: Annotated[
        int, typer.Option(help="How many pages the synthetic web has.", min=20, max=5_000)
    ] = 400,
    seed: Annotated[int, typer.Option(help="The same seed makes the same web.")] = 7,
) -> None:
    """Start a small synthetic web, read its pages and show what was found.

    \b
    gossamer demo
    gossamer demo --pages 2000 --seed 3
    """
    from gossamer.cli.show import console
    from gossamer.lab import Trouble, World, serving

    hosts = max(4, pages // 40)
    world = World(
        seed=seed, hosts=hosts, pages=pages, languages=("en", "de", "fr"), trouble=Trouble(**_TROUBLE)
    )
    with serving(world) as running:
        console.print(
            f"A synthetic web of {pages:,} pages on {hosts} hosts begins at [bold]{running.seeds[0]}[/bold]"
        )
        began_s = time.perf_counter()
        documents, outcomes = _read_all(running.seeds)
        console.print(f"Read through real HTTP in {time.perf_counter() - began_s:.1f} s.\n")
        _show(documents, outcomes, running.world)
    console.print("What to try next:")
    console.print(
        "  gossamer lab serve --pages 100000 --hosts 200 --seed 7     a larger web, for your own crawler"
    )
    console.print(
        "  gossamer lab serve --trouble 0.02                          the same with every kind of trouble"
    )
    console.print("  gossamer --help                                            everything else")


def _read_all(seeds: list[str]) -> tuple[dict[str, Any], Counter[str]]:
    """Follow all links breadth first, asking each host's robots.txt, and read every page once."""
    from rich.progress import track

    from gossamer.cli.plain_http import get
    from gossamer.cli.show import console
    from gossamer.net import html, mime, robots, url

    rules: dict[str, robots.Robots] = {}
    documents: dict[str, Any] = {}
    outcomes: Counter[str] = Counter()
    queue, seen = deque(seeds), set(seeds)

    def found(targets: list[str]) -> None:
        new = [target for target in targets if target not in seen and target.startswith("http://127.")]
        seen.update(new)
        queue.extend(new)

    def waiting() -> Any:
        while queue:
            yield queue.popleft()

    for address in track(waiting(), "reading", console=console, total=None, transient=True):
        host = url.host(address)
        if host not in rules:
            rules[host] = robots.parse(get(f"http://{host}/robots.txt").body)
        if not rules[host].allows(address, "gossamer"):
            outcomes["closed by robots.txt"] += 1
            continue
        answer = get(address)
        if answer.location:
            outcomes["redirected"] += 1
            found([url.canonical(answer.location, address)])
        elif answer.status != 200:
            outcomes[f"answered {answer.status}"] += 1
        elif mime.kind(answer.content_type, answer.body, address) == "html":
            outcomes["read"] += 1
            documents[address] = document = html.read(answer.body, address, answer.content_type)
            found([link.url for link in document.links])
        else:
            outcomes["not a page"] += 1
    return documents, outcomes


def _show(documents: dict[str, Any], outcomes: Counter[str], world: Any) -> None:
    """Show what was found, and how it compares with the truth."""
    from gossamer.cli.show import harmless, table
    from gossamer.net import fingerprint, html

    table("What was asked for", ["outcome", "URLs"], outcomes.most_common())
    kinds = Counter(link.type for document in documents.values() for link in document.links)
    table("Links by type", ["type", "links"], kinds.most_common())
    languages = Counter(document.lang or "not said" for document in documents.values())
    table("Declared languages", ["language", "pages"], languages.most_common())
    incoming = Counter(link.url for document in documents.values() for link in document.links)
    best = [(at, n) for at, n in incoming.most_common() if at in documents][:5]
    rows = [(harmless(documents[at].title, 48), n, at) for at, n in best]
    table("Most linked pages", ["title", "links in", "URL"], rows)
    hashes = {at: fingerprint.simhash(document.text) for at, document in documents.items()}
    pairs = _near_pairs(hashes)
    truth = set(world.reachable())
    total = sum(len(document.text) for document in documents.values())
    main = sum(len(html.main_text(document)) for document in documents.values())
    facts = [
        ("pages that can be reached", len(truth)),
        ("of these read", len(truth & documents.keys())),
        ("pairs of near copies", len(pairs)),
        ("main text, per cent of all text", round(100 * main / max(total, 1))),
    ]
    table("Against the truth that the lab knows", ["fact", "figure"], facts)


def _near_pairs(hashes: dict[str, int]) -> list[tuple[str, str]]:
    from gossamer.net.fingerprint import distance

    ordered = sorted(hashes)
    return [
        (one, other)
        for at, one in enumerate(ordered)
        for other in ordered[at + 1 :]
        if distance(hashes[one], hashes[other]) <= _NEAR_BITS
    ]
