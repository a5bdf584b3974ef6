"""When is an entry due? Rules in words, and the moments that follow from them."""
