"""Ethos: a local memory engine for AI agents. README has the map; `ethos.app.Ethos` is the door."""

__version__ = "0.1.0"
