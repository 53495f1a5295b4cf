"""How fast Ethos is, as ratios to a floor measured in the same run: `python -m benchmarks [NAME...] [--json] [--quick]`."""
