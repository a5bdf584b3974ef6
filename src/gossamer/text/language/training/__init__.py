"""How does a language model learn? Word lists, sentences from a crawl, and evaluation."""
