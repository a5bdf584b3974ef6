"""How do pages get in and out of a web? The verbs export and import."""
