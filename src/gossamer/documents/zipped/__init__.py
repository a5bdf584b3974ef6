"""What does a document in a ZIP file say? Office Open XML, OpenDocument and EPUB, read as streams."""
