"""Which pages does a host announce? Sitemaps and feeds, read within limits."""
