"""Pictures of pages: kept by a crawl, saved by `gossamer picture`, and made from the archive without the network."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from tests.rendering.harness import need_browser
from tests.rendering.scripted_site import ScriptedSite
from tests.rendering.test_render_crawls import GOSSAMER, crawl_site, list_records
from tests.unit.ui.app_client import ask
from tests.unit.ui.navigate.paired_app import serve_paired

from gossamer.crawl.from_archive.show_archived import show_archived
from gossamer.errors import BadInput
from gossamer.fetch.browser.rendered_page import PictureWish
from gossamer.net import url as urls
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch
from gossamer.store.opening.open_archive import open_reader
from gossamer.store.page_pictures import encode_place, find_place, name_note, read_picture
from gossamer.web import Web

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A web with pictures, of two pages that look the same and others, whose site is gone."""
    need_browser()
    web = tmp_path_factory.mktemp("pictures") / "web"
    site = ScriptedSite("127.0.0.2", pages=4)
    try:
        ran = crawl_site(site, web, "--render", "always", "--screenshots")
        assert ran.returncode == 0, ran.stderr
    finally:
        site.close()
    return web, site.url


def save(web: Path, url: str, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [*GOSSAMER, "picture", url, "--web", str(web), "--out", str(out), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("more", "is_kept"),
    [((), True), (("--whole",), True), (("--anew",), False), (("--anew", "--whole"), False)],
)
def test_a_picture_is_saved_as_it_was_kept_or_made_from_the_archive(
    crawled: tuple[Path, str], tmp_path: Path, more: tuple[str, ...], is_kept: bool
) -> None:
    web, url = crawled
    out = tmp_path / "page.webp"
    ran = save(web, f"{url}/shell/1", out, "--json", *more)
    assert ran.returncode == 0, ran.stderr
    image = out.read_bytes()
    assert (image[:4], image[8:12]) == (b"RIFF", b"WEBP")
    assert json.loads(ran.stdout) == {"file": str(out), "bytes": len(image), "kept": is_kept}
    if "--whole" not in more:
        assert len(image) <= 30_000


@pytest.mark.parametrize(
    ("path", "more", "said"),
    [
        ("/nowhere", (), "is not in this web"),
        (
            "/shell/1",
            ("--anew", "--browser", "/nowhere/chromium"),
            "there is no browser at /nowhere/chromium",
        ),
        ("/shell/1", ("--anew", "--browser", "/bin/true"), "did not start"),
        ("/app.js", (), "is no page that a browser shows: it is script"),
    ],
)
def test_what_has_no_picture_is_refused_in_a_sentence(
    crawled: tuple[Path, str], tmp_path: Path, path: str, more: tuple[str, ...], said: str
) -> None:
    web, url = crawled
    ran = save(web, url + path, tmp_path / "page.webp", *more)
    assert ran.returncode == 2
    assert said in " ".join(ran.stderr.split())
    assert not (tmp_path / "page.webp").exists()


def test_a_folder_is_no_place_for_a_picture(crawled: tuple[Path, str], tmp_path: Path) -> None:
    web, url = crawled
    ran = save(web, f"{url}/shell/1", tmp_path)
    assert ran.returncode == 2
    assert "cannot be written" in ran.stderr


def test_pages_that_look_the_same_share_a_record(crawled: tuple[Path, str]) -> None:
    records = [
        (record.type, record.headers.get("warc-target-uri", ""))
        for path in (crawled[0] / "archive").glob("*.gz")
        for record in list_records(path)
    ]
    small = [kind for kind, url in records if url.startswith("urn:thumbnail:")]
    assert len(small) >= 1
    assert records.count(("resource", f"urn:thumbnail:{crawled[1]}/")) == 1


def test_an_archived_page_is_shown_without_network_or_scripts(crawled: tuple[Path, str]) -> None:
    web, url = crawled
    with Web(web) as opened:
        page = opened.store.page(urls.page_id(f"{url}/shell/1"))
        assert page is not None
        reader = open_reader(web / "archive")
        shown = show_archived(opened.store, reader, page, PictureWish(thumbnail=True))
        assert shown.thumbnail
        # Its scripts would add what they have added once more.
        assert shown.html.count(b"<h1>Gadgets of /shell/1</h1>") == 1
        lost = msgspec.structs.replace(page, warc="")
        with pytest.raises(BadInput, match="is not in the archive"):
            show_archived(opened.store, reader, lost, PictureWish(thumbnail=True))


def test_a_note_that_leads_to_another_record_is_no_picture(crawled: tuple[Path, str]) -> None:
    web, url = crawled
    with Web(web) as opened:
        store, reader = opened.store, open_reader(web / "archive")
        one, other = (store.page(urls.page_id(f"{url}/shell/{number}")) for number in (1, 2))
        assert one is not None
        assert other is not None
        place = find_place(store, one.id, "whole")
        assert place is not None
        assert read_picture(store, reader, one.id, "whole")
        at = WarcPosition(place.warc, place.offset)
        page_at = WarcPosition(one.warc, one.warc_offset)
        before = store.note(*name_note(other.id, "small"))
        for note in (
            encode_place(at, place.digest),  # another size
            encode_place(page_at, one.digest),  # a page
            encode_place(at, "sha1:OTHER"),
            encode_place(WarcPosition("no.warc.gz", 3), place.digest),
            b"{",
            b"[1]",
        ):
            store.commit(Batch(notes={name_note(other.id, "small"): note}))
            assert read_picture(store, reader, other.id, "small") is None
        store.commit(Batch(notes={name_note(other.id, "small"): before}))


def test_a_paired_browser_gets_the_small_picture(crawled: tuple[Path, str], tmp_path: Path) -> None:
    web, url = crawled
    with Web(web) as opened:
        page = opened.store.page(urls.page_id(f"{url}/shell/1"))
        assert page is not None
        kept = read_picture(opened.store, open_reader(web / "archive"), page.id, "small")
    with serve_paired(web, tmp_path) as (app, headers):
        card = json.loads(ask(app, f"/api/navigate/card?url={url}/shell/1", headers=headers).text)
        sent = ask(app, f"/api/navigate/picture?url={url}/shell/1", headers=headers)
        assert (card["has_picture"], sent.status, sent.headers["content-type"]) == (True, 200, "image/webp")
        assert (sent.body[:4], sent.body[8:12]) == (b"RIFF", b"WEBP")
        assert int.from_bytes(sent.body[4:8], "little") == len(sent.body) - 8  # a whole image
        assert sent.body == kept
        assert "sandbox" in sent.headers["content-security-policy"]
        for path in ("/app.js", "/nowhere"):
            missing = ask(app, f"/api/navigate/picture?url={url}{path}", headers=headers)
            assert (missing.status, "error" in json.loads(missing.text)) == (404, True)
        assert ask(app, f"/api/navigate/picture?url={url}/shell/1").status == 401
