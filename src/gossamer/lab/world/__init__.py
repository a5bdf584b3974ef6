"""What is a synthetic web, and what is true of it? A world answers requests and knows its own truth."""

from gossamer.lab.world.world import World

__all__ = ["World"]
