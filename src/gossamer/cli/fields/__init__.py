"""How do you see what a page offers to programs, and whether fields still match? The verb `gossamer fields`."""
