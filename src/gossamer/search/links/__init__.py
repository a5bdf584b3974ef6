"""What do links say about a page? Anchor texts, static rank and neighbouring pages."""
