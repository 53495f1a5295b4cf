"""The tests. Each is named for the requirement it shows; `tests/house/test_spec.py` holds them against the list."""
