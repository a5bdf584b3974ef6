"""What do the links say? Graphs as arrays: arrays in, arrays out."""
