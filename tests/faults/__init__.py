"""Faults on purpose: what a disk and a kill may do to a memory, and what must be true afterwards."""
