"""Pages that were shown in a browser are shown again when they are visited again, though their servers say 304."""

import json
import subprocess
from pathlib import Path

import pytest
from tests.rendering.harness import need_browser
from tests.rendering.scripted_site import ScriptedSite
from tests.rendering.test_render_crawls import GOSSAMER, crawl_site

from gossamer.web import Web

pytestmark = pytest.mark.slow


class NewsSite(ScriptedSite):
    """One page that never changes, and shows news that do."""

    news = "old"

    def answer(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return status, headers and body of a path."""
        headers = next(headers for _, asked, headers in reversed(self.requests) if asked == path)
        if path == "/news":
            if "If-None-Match" in headers:
                return 304, [("ETag", '"1"')], b""
            shell = b"<title>News</title><div id=root></div><script src=/news.js></script>"
            return 200, [("Content-Type", "text/html"), ("ETag", '"1"')], shell
        if path == "/news.js":
            script = f"document.getElementById('root').innerHTML='<p>{self.news} news<a href=/{self.news}>more</a>'"
            return 200, [("Content-Type", "text/javascript"), ("Cache-Control", "no-store")], script.encode()
        return super().answer(path)


@pytest.mark.parametrize("render", ["auto", "always"])
@pytest.mark.parametrize("again", ["recrawl", "crawl"])
def test_what_moved_behind_a_page_is_found_though_the_page_did_not(
    tmp_path: Path, render: str, again: str
) -> None:
    need_browser()
    web = tmp_path / "web"
    site = NewsSite("127.0.0.2")
    try:
        ran = crawl_site(site, web, "--render", render, "--conditional", "--depth", "0", start="/news")
        assert ran.returncode == 0, ran.stderr
        assert _find_links(web) == [f"{site.url}/old"]
        site.news = "new"
        if again == "recrawl":
            command = [*GOSSAMER, "recrawl", "--web", str(web), "--now", "--least-gap", "0", "--json"]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        else:
            ran = crawl_site(site, web, "--render", render, "--conditional", "--depth", "0", start="/news")
        assert ran.returncode == 0, ran.stderr
        assert f"{site.url}/new" in _find_links(web), json.dumps(ran.stdout)
    finally:
        site.close()


def _find_links(web: Path) -> list[str]:
    with Web(web) as opened:
        [page] = [page for page in opened.store.pages() if page.url.endswith("/news")]
        assert page.marks["rendered"]
        assert not page.etag
        return [opened.store.url(link.target) or "" for link in opened.store.links_from(page.id)]
