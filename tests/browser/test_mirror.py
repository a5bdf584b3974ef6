"""Open a mirror in a real Chromium without a network: it looks like the site, says the same, and asks no server."""

import json
import os
import struct
import subprocess
import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from tests.browser.pictures import (
    SAME,
    compare_pictures,
    compute_ssim,
    find_browser,
    open_browser,
    open_context,
    take_shot,
)
from tests.crawl.harness import Toy, make_command

from gossamer.lab.server.answer import LabAnswer
from gossamer.lab.server.serve_world import LabServer, serving

pytestmark = pytest.mark.slow
HOST, OTHER = "127.0.0.91", "127.0.0.92"
STYLE = b"@import 'more.css'; h1 { color: teal } .box { padding: 40px }"
CHECKSUM = f"sha256-{b64encode(sha256(STYLE).digest()).decode()}"
served: list[LabServer] = []


def draw(red: int, green: int, blue: int, side: int = 200) -> LabAnswer:
    """Return a picture of stripes in one colour."""
    colours = bytes((250, 250, 250)), bytes((red, green, blue))
    rows = b"".join(
        b"\0" + b"".join(colours[(row // 10 + column // 25) % 2] for column in range(side))
        for row in range(side)
    )

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    png = (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )
    return LabAnswer(200, (("Content-Type", "image/png"),), png)


def answer(kind: str, body: str, charset: str = "utf-8") -> LabAnswer:
    return LabAnswer(200, (("Content-Type", f"text/{kind}; charset={charset}"),), body.encode(charset))


def write_page(title: str, frame: str = '<iframe src="frame.html"></iframe>') -> LabAnswer:
    other = f"//{OTHER}:{served[-1].port}"
    return answer(
        "html",
        f"""<!doctype html><html lang=de><head><title>{title}</title><base href="/shop/">
        <meta http-equiv="Content-Security-Policy" content="img-src 'self' http:">
        <link rel=stylesheet href="{other}/style.css?v=3" integrity="{CHECKSUM}" crossorigin>
        <script src="../script.js"></script></head><body background="ground.png">
        <h1>{title} – Übergröße</h1><img src="{other}/moved" width=200 height=200 alt="">
        <picture><source srcset="wide.png 1x, wide.png?2 2x"><img src=wide.png alt=""></picture>
        <p class=box style="background-image: url('box.png?a=1&amp;b=2')">box</p>{frame}
        <ul><li><a href="./">shop</a><li><a href="a b.html">a b</a><li><a href="?q=1#c">query</a>
        <li><a href=plain.html>plain</a></ul></body></html>""",
    )


@pytest.fixture(scope="module")
def lab() -> Iterator[LabServer]:
    pages: dict[str, Any] = {
        "/": LabAnswer(302, (("Location", "/shop/"),)),
        "/shop/": lambda: write_page("Laden"),
        "/shop/a%20b.html": lambda: write_page("A und B"),
        "/shop/plain.html": lambda: write_page("Ohne Rahmen", frame=""),
        "/shop/?q=1": lambda: write_page("Frage"),
        "/shop/frame.html": answer("html", "<body style='background: gold'><p>grün im Rahmen", "iso-8859-1"),
        "/shop/ground.png": draw(220, 240, 220),
        "/shop/wide.png": draw(0, 0, 200),
        "/shop/wide.png?2": draw(200, 0, 200),
        "/shop/box.png?a=1&b=2": draw(200, 120, 0),
        "/script.js": answer(
            "javascript", "addEventListener('load', () => document.body.append('from a script'))"
        ),
    }
    other = {
        "/style.css?v=3": LabAnswer(
            200, (("Content-Type", "text/css"), ("Access-Control-Allow-Origin", "*")), STYLE
        ),
        "/more.css": answer("css", "@charset 'utf-8'; ul { background: url(list.png); list-style: none }"),
        "/list.png": draw(200, 0, 0),
        "/moved": LabAnswer(301, (("Location", "/picture"),)),
        "/picture": draw(0, 150, 0),
    }
    robots = {"/robots.txt": LabAnswer(404)}
    with serving(Toy({HOST: {**robots, **pages}, OTHER: {**robots, **other}})) as running:
        served.append(running)
        yield running


@pytest.fixture(scope="module")
def mirror(lab: LabServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirrored") / "copy"
    options = ["--delay", "0", "--adaptive", "0", "--allow-private", "127.0.0.0/8"]
    command = make_command("mirror", f"http://{HOST}:{lab.port}/", str(folder), *options, "--json")
    subprocess.run(command, check=True, capture_output=True, env=os.environ)
    return folder


@pytest.fixture(scope="module")
def browser(mirror: Path) -> Iterator[Any]:
    if find_browser() is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra dev)")
    pytest.importorskip("PIL", reason="Pillow is not installed (extra plots)")
    with open_browser() as opened:
        yield opened


@pytest.mark.parametrize("path", ["/shop/", "/shop/a%20b.html", "/shop/?q=1"])
def test_a_mirror_looks_like_its_site_and_asks_no_server(
    browser: Any, lab: LabServer, mirror: Path, path: str
) -> None:
    names = {"/shop/": "index.html", "/shop/a%20b.html": "a_b.html", "/shop/?q=1": "index@*.html"}
    [file] = (mirror / f"{HOST}+{lab.port}" / "shop").glob(names[path])
    with open_context(browser) as online:
        live = take_shot(online, f"http://{HOST}:{lab.port}{path}")
    with open_context(browser, offline=True) as offline:
        copy = take_shot(offline, file.as_uri())
    assert "from a script" in live.text
    assert live.failed == ()
    assert copy.text == live.text
    assert copy.failed == ()
    assert all(address.startswith(mirror.as_uri()) for address in copy.asked), copy.asked
    assert len(copy.asked) >= 8
    assert compare_pictures(live.png, copy.png) >= SAME


def test_a_copy_in_the_search_page_looks_like_the_page(browser: Any, lab: LabServer, mirror: Path) -> None:
    page = f"http://{HOST}:{lab.port}/shop/plain.html"
    command = make_command("serve", "--json", "--port", "0", "--time", "600", "--web")
    with (
        subprocess.Popen(
            [*command, str(mirror / ".gossamer/web")], stdout=subprocess.PIPE, env=os.environ
        ) as served_copies,
        open_context(browser, scripts=False) as context,
    ):
        assert served_copies.stdout is not None
        address = json.loads(served_copies.stdout.readline())["address"]
        live = take_shot(context, page)
        copy = take_shot(context, f"{address}cached/page?url={quote(page, '')}")
        served_copies.terminate()
    assert copy.text == live.text
    assert [asked for asked in copy.asked if not asked.startswith((address, "data:"))] == []
    assert compare_pictures(live.png, copy.png) >= SAME


def test_the_mirror_begins_at_its_index_page(browser: Any, mirror: Path) -> None:
    with open_context(browser, offline=True) as offline:
        page = offline.new_page()
        page.goto((mirror / "index.html").as_uri())
        page.wait_for_url("**/shop/index.html")
        page.get_by_text("a b", exact=True).click()
        page.wait_for_url("**/a_b.html")
        assert page.title() == "A und B"


def test_similarity_tells_pictures_apart() -> None:
    drawn = np.random.default_rng(1).uniform(0, 255, (60, 80))
    moved = np.roll(drawn, 3, axis=1)
    assert compute_ssim(drawn, drawn) == pytest.approx(1.0)
    assert compute_ssim(drawn, moved) < 0.2
    assert 0.9 < compute_ssim(drawn, drawn + 4) < 1.0
