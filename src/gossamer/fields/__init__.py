"""Which values stand on a page? Structured data that pages offer, and fields that a user declares."""
