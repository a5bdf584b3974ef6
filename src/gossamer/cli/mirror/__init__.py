"""How do you keep a browsable copy of a site? The verb `gossamer mirror`."""
