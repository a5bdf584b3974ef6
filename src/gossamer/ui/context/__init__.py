"""How is it shown what a web talks about? Pages of themes, hot stories, words and passages."""
