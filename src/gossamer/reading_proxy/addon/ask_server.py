"""Ask `gossamer serve` for cards and marks, with the token that a person gave this proxy."""

import asyncio
import http.client
import json
from pathlib import Path
from urllib.parse import urlsplit

from gossamer.reading_proxy.addon.pairing_file import Pairing, read_pairing

_TIMEOUT_S = 5.0
_MOST_BYTES = 4_000_000
_OK, _NOT_PAIRED = 200, 401
_BAD_GATEWAY = 502


class ServerClient:
    """Asks the server of a pairing; a new pairing is read as soon as it is written."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Return the status and the JSON of an answer; what goes wrong is a sentence in `error`."""
        pairing = await asyncio.to_thread(read_pairing, self._path)
        if pairing is None:
            return _NOT_PAIRED, _say("This proxy is not paired: run `gossamer proxy --pair`.")
        try:
            status, content = await asyncio.to_thread(_request, pairing, method, path, body)
        except (OSError, http.client.HTTPException, ValueError):
            return _BAD_GATEWAY, _say(f"No server answers at {pairing.server}: start `gossamer serve` there.")
        if status == _NOT_PAIRED:
            return status, _say("This proxy is not paired any more: run `gossamer proxy --pair`.")
        return status, content


def _say(sentence: str) -> bytes:
    return json.dumps({"error": sentence}).encode()


def _request(pairing: Pairing, method: str, path: str, body: bytes) -> tuple[int, bytes]:
    parts = urlsplit(pairing.server)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=_TIMEOUT_S)
    headers = {"Authorization": f"Bearer {pairing.token}", "Content-Type": "application/json"}
    try:
        connection.request(method, parts.path.rstrip("/") + path, body or None, headers)
        answer = connection.getresponse()
        content = answer.read(_MOST_BYTES + 1)
    finally:
        connection.close()
    if len(content) > _MOST_BYTES:
        raise ValueError("too long")
    return answer.status, content
