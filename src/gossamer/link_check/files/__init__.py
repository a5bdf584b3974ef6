"""Are the links between files on disk sound? HTML and Markdown."""
