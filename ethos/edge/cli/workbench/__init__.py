"""Prove rule packs: properties that hold for any rule set, texts to try them on, and counts over a corpus. `ethos.testing` exports them."""
