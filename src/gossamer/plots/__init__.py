"""What does a result look like? Figures drawn with matplotlib, and pages of HTML that hold them."""
