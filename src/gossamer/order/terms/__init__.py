"""What can an order go by? One class for each term: what a link is worth, from 0 to 1, and why."""
