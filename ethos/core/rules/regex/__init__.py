"""Analysis of regular expressions: syntax, required literals, cost, attack strings."""
