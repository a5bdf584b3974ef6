"""What does a crawl do now, and why? Curves, counts, hosts, documents, the story of a URL, and metrics."""
