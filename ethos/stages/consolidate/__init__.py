"""`LEARN`, the stage of a cycle, and its steps: select, extract, resolve. `correct.py` takes the words of a correction the same way."""
