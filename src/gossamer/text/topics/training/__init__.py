"""How does a topic model learn? Weights, cross-validation, calibration, and its most distinctive words."""
