"""What do the links of a web say? Its analyses as tables and plots, and the report that unites them."""
