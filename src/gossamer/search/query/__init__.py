"""What does a query mean? From the words a person types to clauses of the engine."""
