"""A synthetic web whose truth is known, served over real HTTP on loopback."""
