from collections.abc import Iterator
from typing import Any, Protocol

class Stream(Protocol):
    def __arrow_c_stream__(self) -> object: ...

class StreamFailed(Exception): ...  # noqa: N818 - read as a sentence

def read_batches(stream: Stream) -> Iterator[list[Any]]: ...
