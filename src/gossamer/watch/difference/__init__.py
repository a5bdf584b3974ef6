"""How do two versions of a page differ? Parts of pages, paragraphs, words, and noise that is left out."""
