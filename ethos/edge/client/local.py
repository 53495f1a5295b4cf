"""Calls in this process. What the store needs is imported at the first call: through a daemon a command costs a tenth of that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

from ethos.core.model.settings import Settings
from ethos.edge.client.answers import Answer, answer_of

if TYPE_CHECKING:
    from ethos.app import Ethos
    from ethos.edge.api.actions import Service
    from ethos.edge.rulebook import Rulebook


class Local:
    """The memory of these settings, opened in this process.

    stdin: the stream that "-" stands for among the paths of a capture. watch: sees each item that a capture reads; next_unit: is called
    before each unit of a cycle. Both show progress.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.stdin = standard_input()
        self.watch: Callable[[object], None] | None = None
        self.next_unit: Callable[[], None] | None = None

    def prepare(self, action: str, arguments: Mapping[str, object]) -> Callable[[], Any]:
        """Return the action with its arguments, ready to be done. Raises Refused."""
        from ethos.edge.api.actions import ACTIONS  # noqa: PLC0415 (see above)
        from ethos.edge.api.arguments import take  # noqa: PLC0415

        entrance = ACTIONS[action]
        return partial(entrance.does, self.service, take(action, entrance.takes, arguments))

    def call(self, action: str, arguments: Mapping[str, object]) -> Answer:
        """Do an action, and return what came of it. Raises Refused."""
        return answer_of(action, self.prepare(action, arguments)())

    def close(self) -> None:
        """Release the store, if it was opened."""
        if "ethos" in self.__dict__:
            self.ethos.close()
            del self.ethos

    @cached_property
    def rulebook(self) -> Rulebook:
        """Return the rules in force."""
        from ethos.edge import wiring  # noqa: PLC0415 (see above)

        return wiring.rules(self._settings)

    @cached_property
    def ethos(self) -> Ethos:
        """Return the opened memory. Raises Refused."""
        from ethos.edge import wiring  # noqa: PLC0415 (see above)

        return wiring.build(self._settings, lambda: self.rulebook)

    @property
    def service(self) -> Service:
        """Return what actions work with."""
        from ethos.edge.api.actions import Directly, Service  # noqa: PLC0415 (see above)

        passes = Directly(self.ethos, self.next_unit)
        return Service(self.ethos, lambda: self.rulebook, passes, stdin=self.stdin, watch=self.watch)


def standard_input() -> BinaryIO:
    """Return the bytes of standard input; none where it is closed."""
    return BytesIO() if sys.stdin is None else sys.stdin.buffer
