"""The console script: `ethos` and `python -m ethos`. Hot commands, `--help` and `--version` import next to nothing; the rest is
edge/cli/main.py, without which the daemon does.
"""

from __future__ import annotations

import gc
import io
import os
import sys

from ethos import __version__

_GARBAGE = 100_000  # new objects between two searches for garbage, in a command that is not a daemon

TYPE_CHECKING = False  # as typing has it, which is too slow to import
if TYPE_CHECKING:
    from typing import NoReturn, TextIO

    Typed = tuple[list[str], str]  # the arguments of a command, and a socket at which no daemon listens; "" where none was asked


def main() -> int:
    """Run one command; the exit code: 0 done, 1 failed, 2 usage, 3 a person is needed, 130 interrupted."""
    sys.stdout, sys.stderr = _ready(sys.stdout), _ready(sys.stderr)
    try:
        command = _at_once(sys.argv[1:])
        if isinstance(command, int):
            code = command
        else:
            gc.set_threshold(_GARBAGE)  # while modules load nothing becomes garbage, and looking for it takes a quarter of a command's time
            from ethos.edge.cli import main as cli

            arguments, absent = command
            with cli.reporting(arguments) as reported:
                reported.code = cli.program(arguments)(args=arguments, prog_name="ethos", standalone_mode=False, obj=absent) or 0
            code = reported.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 1  # whoever read our output has enough
    except OSError as error:
        code = _trouble(error)
    return _flushed() or code


def _ready(stream: TextIO | None) -> TextIO:
    """Return a stream that takes any text. Neither a letter that the encoding lacks nor a closed output may end a command."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 (pathlib is too slow to import here)
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _flushed() -> int:
    """Let all that was printed go out; 1 where it cannot."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains at its end
        return 1 if isinstance(error, BrokenPipeError) else _trouble(error)
    return 0


def _leave(code: int) -> NoReturn:
    """End the process once all is printed: the command leaves nothing to tidy up, and Python's own end costs a tenth of it."""
    code = _flushed() or code
    sys.stderr.flush()
    os._exit(code)


def _trouble(error: OSError) -> int:
    """Say what the system said; the exit code."""
    said = f"{error.strerror or error}" + (f": {error.filename}" if error.filename else "")
    print(f"ethos: the system says: {said}\n  -> ethos doctor", file=sys.stderr)
    return 1


def _at_once(arguments: list[str]) -> int | Typed:
    """Run what loads next to nothing, and return its exit code; else what the full command line is to run."""
    from ethos.edge.cli import menu

    if "_ETHOS_COMPLETE" in os.environ:  # a shell asks what could follow
        return arguments, ""
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0] in {"--help", "-h", "help"}:
        print(menu.page())
        return 0
    if arguments[0] in {"--version", "-V"}:
        print(f"ethos {__version__}")
        return 0
    return _light(menu.in_order(arguments))


def _light(arguments: list[str]) -> int | Typed:
    """Run a command that has a lighter way than the full command line, where that way takes these arguments."""
    name, *others = arguments
    if name in {"status", "recall", "capture"}:
        from ethos.edge.cli import fast_path

        answered = fast_path.run(name, others)
        return _leave(answered) if isinstance(answered, int) else (arguments, answered)
    if name == "hook" and not {"-h", "--help"} & set(others):
        from ethos.edge.cli import hook

        return _leave(hook.run(others))
    code: int | None = None
    if name == "run":
        from ethos.edge.cli import run

        code = run.start(others)
    elif name == "mcp":
        from ethos.edge.cli import serve_mcp

        code = serve_mcp.start(others)
    return (arguments, "") if code is None else code


if __name__ == "__main__":
    sys.exit(main())
