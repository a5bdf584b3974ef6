"""How does a web leave the store? WARC, WACZ, Parquet, CSV and text corpora."""
