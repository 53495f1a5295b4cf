"""Encoders: adapters of `core.ports.encoder` to word vectors that are installed with the extra `semantic`."""
