"""How does the lab serve a web? With real HTTP on loopback, faults on the wire and a log of every request."""

from gossamer.lab.server.serve_world import serve, serving

__all__ = ["serve", "serving"]
