"""How are archived pages read again? For imports, language samples and topic examples."""
