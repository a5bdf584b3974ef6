"""How do pages get in and out of a web, and is it whole? The verbs export, import and verify."""
