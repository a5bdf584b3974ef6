"""Which words does a selection use? Frequency lists, keywords, concordances, and files for corpus tools."""
