"""Which addresses does a host name have?"""
