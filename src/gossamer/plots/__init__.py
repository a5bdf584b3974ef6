"""What does a result look like? Figures drawn with matplotlib, and HTML pages that contain them."""
