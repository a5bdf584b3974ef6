"""How is a synthetic web served? Real HTTP on loopback, faults included, and a log of who asked."""

from gossamer.lab.server.serve_world import serve, serving

__all__ = ["serve", "serving"]
