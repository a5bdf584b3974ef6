"""How do pages and the extension show what stands behind links, and who links here?"""
