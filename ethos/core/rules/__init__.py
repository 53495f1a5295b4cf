"""Rules: patterns, the prefilter, the matcher, and what qualifies or modifies a match."""
