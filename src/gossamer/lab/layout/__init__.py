"""Where does every page stand, and what does it link to? Arithmetic and hashes, no memory."""
