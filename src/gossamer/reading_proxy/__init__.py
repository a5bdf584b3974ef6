"""How do cards and marks come into browsers that take no extension? A proxy on this machine, by mitmproxy in an environment of its own."""
