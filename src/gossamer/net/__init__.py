"""What do these bytes mean? Pure functions without I/O that accept anything that a server sends."""
