"""Logs: lines for a person at a terminal, JSON for a journal. The event is a sentence, as the runbook has it (E-35).

What others wrote can stand in a log line; it is defused, so that it does nothing to the terminal it is read in.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from typing import TYPE_CHECKING, Any, TextIO

from ethos.core.model.settings import EthosSettings
from ethos.core.text.escaping import plain

# structlog's console renderer imports rich where it can, which costs 20 MiB and is not used here: None in `sys.modules` says there is none
_HIDDEN = [name for name in ("rich",) if name not in sys.modules]
sys.modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]
try:
    import structlog
finally:
    for _name in _HIDDEN:
        del sys.modules[_name]

if TYPE_CHECKING:
    from structlog.typing import EventDict, ExcInfo, FilteringBoundLogger, Processor

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
LONGEST = 2_000  # characters of one value


def get() -> FilteringBoundLogger:
    """A logger. It takes its form from `configure` at its first line."""
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def configure(settings: EthosSettings, stream: TextIO | None = None) -> None:
    """From here on log in this form and from this level, on `stream` (standard error when it is None)."""
    out = stream if stream is not None else sys.stderr
    human = settings.log == "human" or (settings.log == "auto" and out.isatty())  # the journal is no terminal
    last: list[Processor] = [structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=_traceback)]
    if not human:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=_dump)]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _defuse,
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[settings.log_level]),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,  # a reload may change the level
    )
    logging.basicConfig(handlers=[_Hand()], level=LEVELS["warning"], force=True)


def _defuse(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Values as they may be shown; `exc_info` is for the renderer."""
    return {name: plain(value, LONGEST) if isinstance(value, str) else value for name, value in event.items()}


def _traceback(out: TextIO, error: ExcInfo) -> None:
    """A traceback whose lines do nothing to a terminal: the message of an error may quote what somebody wrote."""
    lines = "".join(traceback.format_exception(*error)).splitlines()
    out.writelines("\n" + line[: len(line) - len(line.lstrip(" "))] + plain(line, LONGEST) for line in lines)


def _dump(event: Any, **options: Any) -> str:
    first = {name: event[name] for name in ("timestamp", "level", "event") if name in event}
    return json.dumps({**first, **event}, **{"default": str, **options})


class _Hand(logging.Handler):
    """Hands on what libraries log."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line of ours."""
        get().log(record.levelno, plain(record.getMessage(), LONGEST), logger=record.name, exc_info=record.exc_info)
