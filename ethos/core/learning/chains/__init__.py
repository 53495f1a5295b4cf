"""Replay of a day: breakthroughs, the chains that led to them, what both do to salience, and the traces that are kept."""
