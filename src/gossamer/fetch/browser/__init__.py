"""How is a page shown that needs a browser? By Chromium processes, spoken to by pipes, that connect nowhere themselves."""
