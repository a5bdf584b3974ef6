"""How does one shard run? It refills its frontier, visits, commits and watches over itself."""
