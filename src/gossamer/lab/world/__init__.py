"""What is a synthetic web, and what is true of it? A world that answers requests and knows its truth."""

from gossamer.lab.world.world import World

__all__ = ["World"]
