"""Commands: what `ethos WORD` does, in modules by the headings of `ethos --help`. `edge/cli/main.py` makes one program of them."""
