"""Where do the examples of a topic come from, and how does a crawl learn its topic?"""
