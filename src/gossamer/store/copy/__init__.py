"""How does a web move between a directory and a database? Its state row by row, its archive file by file, without loss."""
