"""Text before meaning: folding, sentences, text of others, escaping, secrets."""
