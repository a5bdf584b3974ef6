"""How do you ask what stands behind a link, and who links to a page? The verbs of reading."""
