"""`gossamer watch`: page watching, on the command line."""
