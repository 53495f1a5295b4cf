"""The daemon: Ethos as a process that stays. `process.py` is its beginning and its end, `loop.py` what it does in between."""
