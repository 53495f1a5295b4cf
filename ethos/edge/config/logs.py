"""Logging: readable lines for a terminal, JSON for a journal. The event is a sentence, as the runbook requires (E-35).

Log lines can contain text that others wrote. Control characters in it are escaped, so that it cannot act on the terminal.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from typing import TYPE_CHECKING, Any, TextIO

from ethos.core.model.settings import EthosSettings
from ethos.core.text.escaping import plain

# structlog's console renderer imports rich if it can, which costs 20 MiB and is not used here; None in `sys.modules` prevents that
_HIDDEN = [name for name in ("rich",) if name not in sys.modules]
sys.modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]
try:
    import structlog
finally:
    for _name in _HIDDEN:
        del sys.modules[_name]

if TYPE_CHECKING:
    from structlog.typing import EventDict, ExcInfo, FilteringBoundLogger, Processor

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
LONGEST = 2_000  # characters of one value


def get() -> FilteringBoundLogger:
    """Return a logger. `configure` decides its format, also afterwards."""
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def configure(settings: EthosSettings, stream: TextIO | None = None) -> None:
    """Set the log format and level for all loggers. stream: None for standard error."""
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
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[settings.log_level]),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,  # a reload may change the level
    )
    logging.basicConfig(handlers=[_Hand()], level=_LEVELS["warning"], force=True)


def _defuse(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Escape control characters in text values. `exc_info` is left to the renderer."""
    return {name: plain(value, LONGEST) if isinstance(value, str) else value for name, value in event.items()}


def _traceback(out: TextIO, error: ExcInfo) -> None:
    """Write a traceback with control characters escaped: an error message may quote what somebody wrote."""
    lines = "".join(traceback.format_exception(*error)).splitlines()
    out.writelines("\n" + line[: len(line) - len(line.lstrip(" "))] + plain(line, LONGEST) for line in lines)


def _dump(event: Any, **options: Any) -> str:
    first = {name: event[name] for name in ("timestamp", "level", "event") if name in event}
    return json.dumps({**first, **event}, **{"default": str, **options})


class _Hand(logging.Handler):
    """Forward the log records of libraries."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record in our format."""
        get().log(record.levelno, plain(record.getMessage(), LONGEST), logger=record.name, exc_info=record.exc_info)
