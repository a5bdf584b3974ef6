"""How is the state of a web read from PostgreSQL? By queries, in pieces, and as one state while others write."""
