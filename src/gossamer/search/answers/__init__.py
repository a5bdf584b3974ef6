"""What does a person see? Answers with snippets, facets, corrections and suggestions."""
