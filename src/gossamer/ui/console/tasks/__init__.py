"""How is a crawl steered? Tasks with their buttons, forms with previews, and the rules that decide about URLs."""
