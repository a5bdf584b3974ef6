"""Which pages answer a query? An index over the texts of a web, a query language, ranking and answers."""
