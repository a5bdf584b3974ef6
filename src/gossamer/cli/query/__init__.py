"""How do people ask a web their own questions? The verb sql."""
