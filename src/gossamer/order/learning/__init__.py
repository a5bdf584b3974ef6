"""What do links turn out to lead to? Features of links, the learner over them, and the focus that uses it."""
