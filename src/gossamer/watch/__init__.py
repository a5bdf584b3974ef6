"""What changed on a page since the last look? Watched pages, readable differences, noise that is left out, and who is told."""
