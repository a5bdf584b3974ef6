"""What do documents beyond HTML say? PDF, Office, EPUB, mail and others, read in a process with limits."""
