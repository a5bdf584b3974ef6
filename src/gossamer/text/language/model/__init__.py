"""What does a language model hold? Words and n-grams, and what each says about languages."""
