"""What may a client cost the server? Limits for connections, their table, and the HTTP server that applies them."""
