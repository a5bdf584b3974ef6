"""How good is a crawl, as people judge it? Samples of its pages, judgements, and what they say."""
