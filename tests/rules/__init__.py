"""Tests of rules, their language and the shipped packs."""
