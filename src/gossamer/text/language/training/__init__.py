"""How does a model learn? Word lists, samples from a crawl, and evaluation."""
