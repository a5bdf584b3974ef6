"""How is a page forgotten? Removed from every file of a web, and not collected again."""
