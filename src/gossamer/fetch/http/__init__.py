"""How does a request go out over HTTP, and what comes back?"""
