"""What bytes mean: pure functions without I/O, total on whatever the web sends."""
