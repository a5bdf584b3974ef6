"""How are pages forgotten from the command line?"""
