"""Which pages matter? PageRank and HITS."""
