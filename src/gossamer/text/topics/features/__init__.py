"""What does a topic model see of a page? Words and pairs of words, by field, and their weights."""
