"""How is the state of a web kept in SQLite? Schema, opening, reading and writing."""
