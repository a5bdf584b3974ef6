"""What do the pages of the synthetic web say? From a plan to words to HTML."""
