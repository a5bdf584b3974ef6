"""How do you ask what a web talks about? The verbs of themes, hot stories, words and passages."""
