"""How do corpus tools read a web? Vertical text, and a folder of plain texts."""
