"""How does a web become a folder that a browser opens? File names, links rewritten to relative ones, and safe writing."""
