"""Clause rules: frames over word classes and shallow grammar, in the place of patterns."""
