"""Where does a word stand, and next to which words? Lines of context and collocates."""
