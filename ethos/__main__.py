"""The front door: `ethos` and `python -m ethos`. Hot commands, `--help` and `--version` import next to nothing; the rest is edge/cli.py."""

from __future__ import annotations

import os
import sys

from ethos import __version__


def main() -> int:
    """Run one command; the exit code: 0 done, 1 failed, 2 usage, 3 a person is needed, 130 interrupted."""
    arguments = sys.argv[1:]
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # what the terminal's encoding does not have must not end a command
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read our output has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(arguments: list[str]) -> int:
    from ethos.edge import menu

    if "_ETHOS_COMPLETE" not in os.environ:  # else a shell asks what could follow
        if not arguments or arguments[0] in {"--help", "-h", "help"}:
            print(menu.page())
            return 0
        if arguments[0] in {"--version", "-V"}:
            print(f"ethos {__version__}")
            return 0
        arguments = menu.in_order(arguments)
        if arguments[0] in {"status", "recall", "capture"}:
            from ethos.edge import hot

            code = hot.run(arguments[0], arguments[1:])
            if code is not None:
                return code
    from ethos.edge import cli

    return cli.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
