"""What can a program ask the server? The JSON API, its records and its OpenAPI description."""
