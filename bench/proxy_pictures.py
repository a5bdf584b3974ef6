"""Compare pages of Debian's documentation as Chromium shows them: without a proxy, and through `gossamer proxy` with cards off.

Cards are off in both ways: by the option --no-cards, and by the key, which a site remembers. The picture of each page is compared
with the one without a proxy; the result is the structural similarity of the page that differs most. Pages with cards on are
compared too: their frame lies over the page, and no server answers it, so nothing may be seen of it.

    python bench/proxy_pictures.py [--json]
"""

import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from command_line import run_benchmark
from gossamer.errors import BadInput
from gossamer.lab import serving
from gossamer.lab.recordings.serve_folder import Folders
from gossamer.reading_proxy.start_proxy import find_mitmdump
from proxy_load import run_proxy

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from tests.browser.pictures import (  # noqa: E402 - by the path above
    HEIGHT,
    WIDTH,
    compare_pictures,
    find_browser,
    open_browser,
    take_shot,
)

MANUAL = Path("/usr/share/doc/python3.11-doc/html")
PAGES = 50
TURN_OFF = "localStorage.setItem('gossamer-off', 'yes')"


def choose_pages() -> list[str]:
    """Return the paths of pages at even distances in the manual."""
    found = sorted(path.relative_to(MANUAL).as_posix() for path in MANUAL.glob("library/*.html"))
    if len(found) < PAGES:
        raise BadInput("the manual of Python is not installed: apt-get install python3.11-doc")
    return found[:: len(found) // PAGES][:PAGES]


def take_pictures(browser: Any, addresses: list[str], proxy: str = "", first: str = "") -> list[bytes]:
    """Return the picture of each page; a browser with a proxy asks this machine through it too."""
    through = {"proxy": {"server": f"http://{proxy}", "bypass": "<-loopback>"}} if proxy else {}
    with closing(browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, **through)) as context:
        context.set_default_timeout(120_000)
        if first:
            context.add_init_script(first)
        return [take_shot(context, address).png for address in addresses]


def measure() -> dict[str, float]:
    """Measure the similarity of all pages; nothing without mitmproxy or a browser."""
    try:
        find_mitmdump()
    except BadInput as error:
        print(f"proxy_pictures: {error}", file=sys.stderr)
        return {}
    if find_browser() is None:
        print("proxy_pictures: there is no chromium: apt-get install chromium", file=sys.stderr)
        return {}
    with serving(Folders([MANUAL]), processes=1) as lab, run_proxy() as on, run_proxy("--no-cards") as off:
        # The same pages under the same names: the lab has one host for the folder.
        addresses = [lab.seeds[0] + path for path in choose_pages()]
        with open_browser() as browser:
            plain = take_pictures(browser, addresses)
            ways = {
                "option_off": take_pictures(browser, addresses, off),
                "key_off": take_pictures(browser, addresses, on, TURN_OFF),
                "on": take_pictures(browser, addresses, on),
            }
    return {
        f"proxy_pictures.{way}_least_ssim": min(map(compare_pictures, plain, pictures))
        for way, pictures in ways.items()
    }


if __name__ == "__main__":
    sys.exit(run_benchmark("proxy_pictures", measure, "--json" in sys.argv[1:]))
