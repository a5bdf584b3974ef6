"""What do these bytes mean? Pure functions without I/O that accept whatever a server sends."""
