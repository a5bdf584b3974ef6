"""How does a dense group grow? The compiled loops of clusters and cores."""
