"""When is a page worth another visit? Change rates, the value of visits, and learning from each visit."""
