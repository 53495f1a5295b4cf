"""Facts: keys, weighing of claims, replacement, evidence, trust and invariants."""
