"""What does a document of one format say? One reader for each format, without I/O."""
