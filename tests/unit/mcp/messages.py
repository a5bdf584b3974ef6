"""Messages as the reference client of the protocol sends them, written down from its connections."""

from typing import Any

VERSION_2026 = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "mcp", "version": "0.1.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def make_initialize(version: str = "2025-06-18") -> dict[str, Any]:
    """Return the first message of a client of a revision with a handshake."""
    params = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "mcp", "version": "0.1.0"},
    }
    return {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}


def make_discover(version: str = "2026-07-28") -> dict[str, Any]:
    """Return the first message of a client of the revision without a handshake."""
    meta = VERSION_2026 | {"io.modelcontextprotocol/protocolVersion": version}
    return {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}


def make_call(name: object, arguments: object, meta: object = None) -> dict[str, Any]:
    """Return a call of a tool."""
    params: dict[str, Any] = {"name": name, "arguments": arguments}
    if meta is not None:
        params["_meta"] = meta
    return {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
