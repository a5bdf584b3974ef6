"""Digests in base 32, compared with Python's own."""

import base64
import random

import pytest

from gossamer.net.fingerprint.base32 import base32


def test_it_agrees_with_python() -> None:
    dice = random.Random(1)
    for digest in (bytes(20), b"\xff" * 20, *(dice.randbytes(20) for _ in range(200))):
        assert base32(digest) == base64.b32encode(digest).decode("ascii")


@pytest.mark.parametrize("size", [0, 5, 19, 21])
def test_only_sha1_digests_are_accepted(size: int) -> None:
    with pytest.raises(ValueError, match="20 bytes"):
        base32(bytes(size))
