"""Measure the memory of `gossamer check` on generated sites with 10,000, 100,000 and 1,000,000 links, served by nginx over loopback.

A page has a hundred links: to pages that it is the first to link to, to other pages, half of them with a fragment, and ten to
images that no other page shows. So a million links lead to 110,000 addresses. One page in a hundred has a broken link and a
link to a missing fragment, which the check must find, all of them and no more.
Memory is the sum of the peaks of all processes. Run: python bench/link_check_memory.py [LINKS …]
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from gossamer.errors import BadInput
from nginx_site import find_free_port, run_nginx
from run_program import run_measured

HOST = "127.0.18.2"
SIZES = (10_000, 100_000, 1_000_000)
LINKS_A_PAGE = 100
_CHILDREN = 10
_IMAGES = 10
_BROKEN_EVERY = 100
_MOST_S = 1_800.0
# Images need no files: nginx answers for all of them.
_SERVER = "server {{ listen {host}:{port}; root {root}; location /image/ {{ return 204; }} }}"


def write_page(number: int, pages: int) -> str:
    """Return one page: its first links make a tree of all pages, the others spread over the site."""
    children = [one for one in range(number * _CHILDREN + 1, (number + 1) * _CHILDREN + 1) if one < pages]
    links = [f'<a href="/{one}.html">{one}</a>' for one in children]
    is_bad = number % _BROKEN_EVERY == 0
    if is_bad:
        links += [
            f'<a href="/gone/{number}.html">gone</a>',
            f'<a href="/{number}.html#gone-{number}">gone</a>',
        ]
    images = "".join(f'<img src="/image/{number}-{one}.png" alt="">' for one in range(_IMAGES))
    for place in range(LINKS_A_PAGE - len(links) - _IMAGES):
        other = (number * 7_919 + place * 104_729) % pages
        fragment = f"#s{place % 20}" if place % 2 else ""
        links.append(f'<a href="/{other}.html{fragment}">page {other}</a>')
    sections = "".join(f'<h2 id="s{one}">Section {one}</h2>' for one in range(20))
    body = "\n".join(links)
    return f'<!DOCTYPE html><html lang="en"><title>Page {number}</title>{sections}{images}\n{body}\n'


def write_site(folder: Path, links: int) -> int:
    """Write a site with so many links; return the number of pages."""
    pages = links // LINKS_A_PAGE
    for number in range(pages):
        (folder / f"{number}.html").write_text(write_page(number, pages), "utf-8")
    return pages


def measure_check(links: int) -> tuple[float, float]:
    """Check a site with so many links; return the peak memory in MB and the time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root = folder / "site"
        root.mkdir()
        pages = write_site(root, links)
        port = find_free_port([HOST])
        server = _SERVER.format(host=HOST, port=port, root=root)
        start = f"http://{HOST}:{port}/0.html"
        command = [
            sys.executable,
            "-m",
            "gossamer.cli.main",
            "check",
            start,
            "--json",
            "--web",
            str(folder / "web"),
        ]
        with run_nginx(server, HOST, port, folder / "nginx"):
            cost = run_measured(command, folder / "output", dict(os.environ), _MOST_S)
        _require_truth(folder / "output", pages, links)
        return cost.peak_mb, cost.wall_s


def _require_truth(output: Path, pages: int, links: int) -> None:
    """Raise BadInput unless the check found all pages, links and broken addresses."""
    found = json.loads(output.read_text("utf-8").splitlines()[-1])
    wanted = {"pages": pages, "links": links, "broken": 2 * -(-pages // _BROKEN_EVERY)}
    if wrong := {name: found.get(name) for name, value in wanted.items() if found.get(name) != value}:
        raise BadInput(f"the check of {links:,} links found {wrong}, and not {wanted}")


def measure(sizes: tuple[int, ...] = SIZES) -> dict[str, float]:
    """Return the figures that have floors."""
    peaks_mb: dict[int, float] = {}
    for links in sizes:
        peaks_mb[links], took_s = measure_check(links)
        print(f"{links:9,} links  {peaks_mb[links]:7.0f} MB  {took_s:7.1f} s", flush=True)
    figures = {f"link_check_memory.mb_{links}": peak_mb for links, peak_mb in peaks_mb.items()}
    if 1_000_000 in peaks_mb and 100_000 in peaks_mb:
        figures["link_check_memory.growth"] = peaks_mb[1_000_000] / peaks_mb[100_000]
    return figures


if __name__ == "__main__":
    for name, value in measure(tuple(map(int, sys.argv[1:])) or SIZES).items():
        print(f"{name}: {value:.4g}")
