"""What shape does a graph have? Components, bow-tie, statistics and power laws."""
