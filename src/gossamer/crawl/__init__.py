"""The story: how a link is fetched, read, judged and kept, and who runs it."""
