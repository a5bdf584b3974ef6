"""What has a person read, and how did they get there? The history of one person, in a file that is theirs alone."""
