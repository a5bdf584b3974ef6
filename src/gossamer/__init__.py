"""Gossamer collects a piece of the web and turns it into what people use."""

__version__ = "0.1.0.dev0"
