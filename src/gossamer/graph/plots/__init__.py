"""Pictures of graphs: arrays in, figures out."""
