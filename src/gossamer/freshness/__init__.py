"""When is a page worth another visit? Change rates, the value of visits, and what one visit teaches."""
