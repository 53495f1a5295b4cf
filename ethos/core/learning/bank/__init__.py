"""The reasoning bank: what a memory is believed, found, merged and distilled by."""
