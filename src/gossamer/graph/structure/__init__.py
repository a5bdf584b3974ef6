"""What is the shape of a graph? Components, bow-tie, statistics and power laws."""
