"""What does a language model hold? Words and n-grams, and how likely each is in each language."""
