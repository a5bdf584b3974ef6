"""Make a small search index that later versions must search or build anew: python tests/formats/make_index.py

Run it once for each format of the index, when that format is final, and keep the file.
"""

import io
import tarfile
import tempfile
from pathlib import Path

from tests.formats.make_web import make

from gossamer.search.index.search_index import FORMAT
from gossamer.web import Web


def main() -> None:
    """Index the small web, and pack it with its index into a file beside this program."""
    with tempfile.TemporaryDirectory() as scratch:
        make(Path(scratch))
        with Web(Path(scratch)) as web:
            web.index()
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:xz") as tar:
            tar.add(scratch, arcname=".")
    (Path(__file__).parent / f"index-{FORMAT}.tar.xz").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main()
