"""What does a picture of a web consist of? Nodes, links, columns and places, computed once for all viewers."""
