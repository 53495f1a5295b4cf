"""Passes: the context of a run and the stages it is made of."""
