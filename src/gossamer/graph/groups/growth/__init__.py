"""How is a dense group grown? The compiled loops of clusters and cores."""
