"""Which pages belong together? Cliques, clusters, bipartite cores, communities, and link noise."""
