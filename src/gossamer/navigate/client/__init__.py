"""How does a program ask a running server what a paired browser may ask? With the standard library alone."""
