"""Which text on a page is its main content? Blocks, main text, sentences and the words around links."""
