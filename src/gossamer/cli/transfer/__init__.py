"""How does a web get in and out? export and import."""
