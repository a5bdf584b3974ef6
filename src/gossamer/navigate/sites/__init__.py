"""What does a reader want to know of the site around a page: its size, what is new, its parts in order, earlier versions?"""
