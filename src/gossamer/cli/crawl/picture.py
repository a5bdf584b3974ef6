"""`gossamer picture`: save the picture of a page, as a crawl kept it, or made from the archive."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.task_options import Json, WebPath

if TYPE_CHECKING:
    from gossamer.fetch.browser.rendered_page import PictureWish


def picture(
    url: Annotated[str, typer.Argument(help="A page of the web.", metavar="URL")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", show_default=False, help="Where to write it. [default: picture.webp]"
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="The page in full length, not a small picture of its beginning.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Make it from the archive, even if a crawl has kept one.")
    ] = False,
    browser: Annotated[
        str,
        typer.Option(
            "--browser", metavar="PATH", help="Program of Chromium or Chrome; found by itself if empty."
        ),
    ] = "",
    web: WebPath = Path("web"),
    json: Json = False,
) -> int:
    """Save a picture of a page as WebP.

    A crawl with `--screenshots` keeps pictures. Of other pages, one is made from the archive alone: nothing is fetched, scripts do not run, and images and styles are shown as far as they were kept.

    \b
    gossamer picture https://www.example.org/ --out start.webp
    gossamer picture https://www.example.org/ --whole --web docs.web
    """
    from gossamer.cli.task_options import to_canonical_url
    from gossamer.cli.typed_url import complete_url, find_typed_url
    from gossamer.crawl.from_archive.show_archived import show_archived
    from gossamer.errors import BadInput
    from gossamer.net import url as urls
    from gossamer.store.opening.open_archive import open_reader
    from gossamer.store.page_pictures import Size, read_picture
    from gossamer.web import open_to_read

    to_canonical_url(complete_url(url))
    target = out or Path("picture.webp")
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise BadInput(f"{target} cannot be written: name a file in a folder that is there")
    size: Size = "whole" if whole else "small"
    with open_to_read(web) as opened:
        wanted = to_canonical_url(find_typed_url(opened.store, url))
        page = opened.store.page(urls.page_id(wanted))
        if page is None:
            raise BadInput(f"{wanted} is not in this web; `gossamer explain` says why")
        archive = open_reader(opened.folder / "archive")
        image = None if anew else read_picture(opened.store, archive, page.id, size)
        is_kept = image is not None
        if image is None:
            if page.kind != "html":
                raise BadInput(f"{wanted} is no page that a browser shows: it is {page.kind}")
            shown = show_archived(opened.store, archive, page, _make_wish(whole), browser)
            image = shown.picture if whole else shown.thumbnail
    if not image:
        raise BadInput(f"the browser made no picture of {wanted}")
    _write(target, image)
    _report(target, image, is_kept, json)
    return 0


def _make_wish(whole: bool) -> "PictureWish":
    from gossamer.fetch.browser.rendered_page import PictureWish

    return PictureWish(thumbnail=not whole, whole=whole)


def _write(target: Path, image: bytes) -> None:
    from gossamer.atomic_file import write_atomically
    from gossamer.errors import BadInput

    try:
        with write_atomically(target) as new:
            new.write_bytes(image)
    except OSError as error:
        raise BadInput(f"{target} cannot be written: {error.strerror}") from None


def _report(target: Path, image: bytes, is_kept: bool, json: bool) -> None:
    if json:
        from gossamer.cli.output.json_lines import print_json

        print_json({"file": str(target), "bytes": len(image), "kept": is_kept})
    else:
        whence = "as the crawl kept it" if is_kept else "made from the archive"
        typer.echo(f"Wrote {target}, {len(image):,} bytes, {whence}.")
