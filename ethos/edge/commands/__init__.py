"""Commands: what `ethos WORD` does, in modules by the headings of `ethos --help`. `edge/cli.py` makes one program of them."""
