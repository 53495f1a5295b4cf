"""Text: folding, sentences, foreign text, escaping, secrets; and in `language/` inflection, word classes, clauses and phrasing."""
