"""What the links say: graphs as arrays, and what can be counted and found in them. Arrays in, arrays out."""
