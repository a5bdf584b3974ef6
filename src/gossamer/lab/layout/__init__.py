"""On which host is a page, and what does it link to? Computed from page numbers and hashes, nothing is stored."""
