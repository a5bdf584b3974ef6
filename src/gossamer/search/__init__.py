"""Where is it written? An index over the texts of a web, a query language, and answers."""
