"""What is a collection about? Groups of pages that share words and links, with names, and a map of them."""
