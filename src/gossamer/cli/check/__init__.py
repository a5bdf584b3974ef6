"""Verbs that look after a site."""
