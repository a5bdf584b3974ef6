"""What can a person see in a browser? A search page and a JSON API over a web."""
