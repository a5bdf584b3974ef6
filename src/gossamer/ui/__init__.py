"""Web pages and a JSON API over a collection."""
