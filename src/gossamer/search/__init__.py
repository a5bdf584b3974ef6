"""Search what was crawled: an index over the texts of a web, a query language, and answers."""
