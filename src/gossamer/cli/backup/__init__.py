"""How is a web backed up and restored? The verbs backup and restore."""
