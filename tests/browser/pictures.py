"""Compare pages as a person sees them: pictures from a real Chromium, their texts, and what each page asked for."""

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT, MOST_HEIGHT = 1200, 900, 3_000
SAME = 0.98
"""Pictures count as the same from this similarity on."""
_WINDOW = 7
_MEAN_CONSTANT, _SPREAD_CONSTANT = (0.01 * 255) ** 2, (0.03 * 255) ** 2
Grey = NDArray[np.float64]


class Shot(msgspec.Struct, frozen=True):
    """One page as Chromium showed it."""

    png: bytes
    text: str
    asked: tuple[str, ...]
    """All addresses that the page asked for."""
    failed: tuple[str, ...]
    """Those that could not be loaded."""


def find_browser() -> str | None:
    """Return the path of an installed Chromium; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yield a browser; playwright must be installed."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # Without a sandbox, which root cannot have; tests in containers run as root.
        started = play.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@contextmanager
def open_context(browser: Any, offline: bool = False, scripts: bool = True) -> Iterator[Any]:
    """Yield a context in which pages are opened; `offline`, every request to a network fails."""
    options = {
        "viewport": {"width": WIDTH, "height": HEIGHT},
        "offline": offline,
        "java_script_enabled": scripts,
    }
    context = browser.new_context(**options)
    context.set_default_timeout(120_000)
    yield context
    context.close()


def take_shot(context: Any, address: str) -> Shot:
    """Open an address, wait until all of it is loaded, and take a picture of up to 3,000 rows."""
    page = context.new_page()
    asked: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(150)  # scripts that run after loading
    rows = min(page.evaluate("document.documentElement.scrollHeight"), MOST_HEIGHT)
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": max(rows, HEIGHT)}
    png = page.screenshot(full_page=True, clip=clip, animations="disabled", caret="hide")
    text = page.inner_text("body")
    page.close()
    return Shot(png, " ".join(text.split()), tuple(asked), tuple(failed))


def compare_pictures(first: bytes, second: bytes) -> float:
    """Return the structural similarity of two pictures; 0 if their sizes differ by more than a fiftieth.

    The mean over all windows of 7 × 7 grey pixels. Source: Wang, Bovik, Sheikh and Simoncelli 2004, equation 13.
    """
    a, b = _read_grey(first), _read_grey(second)
    height, width = min(a.shape[0], b.shape[0], MOST_HEIGHT), min(a.shape[1], b.shape[1])
    if max(len(a), len(b)) - min(len(a), len(b)) > max(len(a), len(b)) / 50:
        return 0.0
    return compute_ssim(a[:height, :width], b[:height, :width])


def compute_ssim(a: Grey, b: Grey) -> float:
    """Return the mean structural similarity of two grey pictures of the same size."""
    mean_a, mean_b = _average(a), _average(b)
    spread_a = _average(a * a) - mean_a**2
    spread_b = _average(b * b) - mean_b**2
    shared = _average(a * b) - mean_a * mean_b
    alike = (2 * mean_a * mean_b + _MEAN_CONSTANT) * (2 * shared + _SPREAD_CONSTANT)
    apart = (mean_a**2 + mean_b**2 + _MEAN_CONSTANT) * (spread_a + spread_b + _SPREAD_CONSTANT)
    return float((alike / apart).mean())


def _average(values: Grey) -> Grey:
    """Return the mean of every window."""
    sums = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    size = _WINDOW
    totals = sums[size:, size:] - sums[:-size, size:] - sums[size:, :-size] + sums[:-size, :-size]
    means: Grey = totals / size**2
    return means


def _read_grey(png: bytes) -> Grey:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("L"), dtype=np.float64)
