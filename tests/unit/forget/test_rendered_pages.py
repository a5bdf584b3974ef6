"""Rendered pages are forgotten with their pictures and data, whatever they share and wherever their WARC files end."""

import random
from pathlib import Path

import msgspec
import pytest
from tests.crawl.forgets import read_everything, run

from gossamer.net import fingerprint
from gossamer.net import url as urls
from gossamer.records import Exchange, Page, Visit
from gossamer.store import page_pictures
from gossamer.store.archive.archive import Archive, find_file_before
from gossamer.store.archive.archive_reader import WarcPosition
from gossamer.store.batch import Batch
from gossamer.store.opening.open_archive import open_reader
from gossamer.web import Web

HOST = "www.example.org"
LOOKS, DATA, PAGES = 4, 5, 12
_NOW_S = 1_790_000_000.0


def make_url(number: int) -> str:
    """Return URLs of very different lengths."""
    return f"http://{HOST}/page-{number}-{'x' * (7 * number % 50)}"


def make_look(number: int, size: page_pictures.Size) -> bytes:
    """Return the picture of a page; several pages look the same."""
    return b"RIFF" + random.Random(f"{number % LOOKS} {size}").randbytes(400)


def make_data(number: int) -> bytes:
    """Return what the script of a page loads; several pages load the same bytes from addresses of their own."""
    return b"data-" + random.Random(number % DATA).randbytes(200).hex().encode()


class RenderedWeb:
    """Writes the archive and the state of a web as a crawl with a browser does."""

    def __init__(self, folder: Path, rotate_bytes: int) -> None:
        self.folder = folder
        self.numbers = set(range(PAGES))
        with Web(folder) as web:
            archive = Archive(folder / "archive", web.store.archive_ends(), rotate_bytes=rotate_bytes)
            places: dict[str, WarcPosition] = {}
            for number in range(PAGES):
                web.store.commit(self._write(archive, places, number))
            archive.close()

    def _write(self, archive: Archive, places: dict[str, WarcPosition], number: int) -> Batch:
        url = make_url(number)
        facts = {"via": f"http://{HOST}/", "hopsFromSeed": "L"}
        beside = {"hopsFromSeed": "LE"}
        archive.write(make_response(url, b"<title>title-%d.</title>" % number), "", None, facts)
        data = make_response(f"http://{HOST}/data/{number}", make_data(number))
        archive.write(data, "", None, beside | {"via": url})
        notes: dict[tuple[str, str], bytes | None] = {}
        for size in ("small", "whole"):
            image = make_look(number, size)
            digest = fingerprint.digest(image)
            if digest not in places:
                exchange = page_pictures.make_exchange(url, size, image, _NOW_S)
                places[digest] = archive.write(exchange, digest, None, beside)
            notes[page_pictures.name_note(urls.page_id(url), size)] = page_pictures.encode_place(
                places[digest], digest
            )
        shown = make_response(url, b"<title>title-%d.</title>shown-%d." % (number, number))
        shown = msgspec.structs.replace(shown, request_head=b"", response_head=b"", rendered_by="a browser")
        place = archive.write(shown, "", None, facts)
        where = {"warc": place.warc, "warc_offset": place.offset}
        page = Page(urls.page_id(url), url, HOST, 1, 1, _NOW_S, 200, "html", **where)  # type: ignore[arg-type]
        visit = Visit(page.id, 1, _NOW_S, "fetched", 200, **where)  # type: ignore[arg-type]
        return Batch(
            pages=[page], visits=[visit], known=[(page.id, url)], notes=notes, archive_ends=archive.flush()
        )

    def forget(self, *numbers: int, what: str) -> None:
        """Forget pages."""
        run("forget", what, "--yes", "--web", str(self.folder))
        self.numbers -= set(numbers)

    def check(self) -> None:
        """Check that each byte of forgotten pages is gone, and that the others have all of theirs."""
        everything = b"\n".join(data for _, _, data in read_everything(self.folder))
        for number in set(range(PAGES)) - self.numbers:
            gone = (make_url(number) + "\n", f"title-{number}.", f"shown-{number}.", f"/data/{number}\n")
            assert [one for one in gone if one.encode() in everything] == []
            if not any(one % LOOKS == number % LOOKS for one in self.numbers):
                assert make_look(number, "small") not in everything
                assert make_look(number, "whole") not in everything
            if not any(one % DATA == number % DATA for one in self.numbers):
                assert make_data(number) not in everything
        with Web(self.folder, create=False, read_only=True) as web:
            reader = open_reader(self.folder / "archive")
            pages = {page.url: page for page in web.store.pages()}
            assert set(pages) == {make_url(number) for number in self.numbers}
            for number in self.numbers:
                page = pages[make_url(number)]
                shown = reader.read(WarcPosition(page.warc, page.warc_offset))
                assert shown is not None
                assert shown.payload.endswith(b"shown-%d." % number)
                for size in ("small", "whole"):
                    assert page_pictures.read_picture(web.store, reader, page.id, size) == make_look(
                        number, size
                    )
        for number in self.numbers:
            assert make_data(number) in everything, "a page that is kept needs them"


def make_response(url: str, payload: bytes) -> Exchange:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(payload)
    asked = b"GET / HTTP/1.1\r\nReferer: http://www.example.org/\r\n\r\n"
    headers = (("content-type", "text/html"),)
    return Exchange(url, 200, asked, head, payload, payload, headers, "192.0.2.7", _NOW_S, 0.1, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("rotate_bytes", [1_000, 3_000, 1_000_000])
def test_pages_go_one_by_one_and_leave_to_others_what_they_share(tmp_path: Path, rotate_bytes: int) -> None:
    web = RenderedWeb(tmp_path / "web", rotate_bytes)
    web.check()
    order = list(range(PAGES))
    random.Random(rotate_bytes).shuffle(order)
    for number in order[: PAGES - 3]:
        web.forget(number, what=make_url(number))
        web.check()
    web.forget(*order[PAGES - 3 :], what=HOST)
    web.check()


def test_a_pattern_takes_all_that_look_the_same(tmp_path: Path) -> None:
    web = RenderedWeb(tmp_path / "web", 3_000)
    same = [number for number in range(PAGES) if number % LOOKS == 1]
    web.forget(*same, what=f"/page-(?:{'|'.join(map(str, same))})-")
    web.check()


def test_the_file_before_is_of_the_same_shard() -> None:
    names = [
        f"gossamer-20260101000000-{shard:03}-{serial:05}.warc.gz" for shard in (0, 1) for serial in (0, 2)
    ]
    assert find_file_before(names[3], names) == names[2]
    assert find_file_before(names[2], names) is None
    assert find_file_before("other.warc.gz", names) is None
