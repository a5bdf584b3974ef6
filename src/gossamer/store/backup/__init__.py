"""How is a web backed up and restored? Consistent copies while it is crawled, of which each adds only what is new."""
