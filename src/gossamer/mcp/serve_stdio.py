"""Answer messages on standard input, one a line, on standard output, until the input ends."""

from contextlib import nullcontext
from typing import BinaryIO

from gossamer.mcp.json_rpc import INVALID_REQUEST, MOST_BYTES, RpcError, write_error
from gossamer.mcp.protocol import answer_line
from gossamer.mcp.tools import Searcher

_TOO_LONG = RpcError(INVALID_REQUEST, f"The message is too long: at most {MOST_BYTES:,} bytes are accepted.")


def serve_stdio(searcher: Searcher, source: BinaryIO, target: BinaryIO) -> None:
    """Answer each line of a stream; nothing but answers is written."""
    while line := source.readline(MOST_BYTES + 2):
        if not line.endswith(b"\n") and len(line) > MOST_BYTES:
            _skip_line(source)
            answer: bytes | None = write_error(_TOO_LONG)
        elif not line.strip():
            continue
        else:
            answer = answer_line(line.rstrip(b"\r\n"), lambda: nullcontext(searcher))
        if answer is not None:
            target.write(answer + b"\n")
            target.flush()


def _skip_line(source: BinaryIO) -> None:
    """Read up to the end of a line that is too long, without keeping it."""
    while (part := source.readline(MOST_BYTES)) and not part.endswith(b"\n"):
        pass
