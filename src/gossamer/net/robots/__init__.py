"""What may a robot fetch and store? robots.txt, robots meta tags and X-Robots-Tag headers."""

from gossamer.net.robots.page_directives import Directives, directives
from gossamer.net.robots.robots_txt import MAX_BYTES, MAX_DELAY_S, Robots, parse

__all__ = ["MAX_BYTES", "MAX_DELAY_S", "Directives", "Robots", "directives", "parse"]
