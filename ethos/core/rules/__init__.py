"""Rules: patterns, the prefilter, the matcher, and the qualifiers and modifiers of a match."""
