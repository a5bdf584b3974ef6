"""What does a page refer to, and what can refer to it? Compact facts, kept by the digest of the page."""
