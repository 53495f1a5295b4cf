"""Text processing below the level of meaning: folding, sentences, foreign text, escaping, secrets."""
