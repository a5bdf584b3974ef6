"""What is written on the pages of the synthetic web? A plan becomes words, and words become HTML."""
