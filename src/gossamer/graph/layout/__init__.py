"""Where does each node belong in a picture? Places by forces between nodes, in levels."""
