"""How are pages of other schemes than http fetched? Files of this machine, and FTP."""
