"""What is behind a link that the collection does not know? The robot reads the beginning of the page when a reader asks."""
