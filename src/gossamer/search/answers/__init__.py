"""What does a person see? Answers with snippets, facets, spelling corrections and suggestions."""
