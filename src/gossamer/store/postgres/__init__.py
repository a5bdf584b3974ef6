"""How is the state of a web kept in PostgreSQL? Address, schema, reading, writing, and leases of shares."""
