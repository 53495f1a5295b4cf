"""Erasing: where this memory may stand in files, and the search for what is to be gone from them."""
