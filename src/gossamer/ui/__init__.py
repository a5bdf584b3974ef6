"""What can a person see in a browser? Pages and a JSON API over a collection."""
