"""What does a collection talk about? Themes, hot stories, word lists and cited passages."""
