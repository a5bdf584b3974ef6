"""Which text on a page would a reader want? Blocks, main text, sentences and the words around links."""
