"""Which pages are important? PageRank and HITS."""
