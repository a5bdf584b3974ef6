"""What do the links of a web look like? The link graph on a canvas, and what can be done with a part of it."""
