"""Tests of two shares that hold for small numbers, intervals, and the control of how often many tests err together."""
