"""A connection to the memory: through the running daemon, else in this process. Both do the same actions, and answer alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from ethos.core.model.errors import Refused, refuse
from ethos.edge.client import socket_client
from ethos.edge.client.answers import Answer, Json, answer_of, data_of
from ethos.edge.client.local import Local
from ethos.edge.client.remote import Remote, TooLarge, Unavailable
from ethos.edge.config import loading
from ethos.edge.files import locks

if TYPE_CHECKING:
    from ethos.edge.api.actions import Service
    from ethos.edge.rulebook import Rulebook


class Connection:
    """The memory of one configuration, which is read at once. Raises Refused for what is wrong with it.

    Whether a daemon is there is found out at the first call. absent: a socket at which this command found none just now.
    """

    def __init__(self, explicit: Path | None, *, absent: str = "") -> None:
        self.loaded = loading.load(explicit)
        self.settings = self.loaded.settings
        self.local = Local(self.settings)
        self._remote = Remote(self.settings.socket.path)
        self._alone = absent == self.settings.socket.path  # no daemon listened when it was last looked for

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.local.close()

    @property
    def state(self) -> Path:
        """Return the state folder."""
        return Path(self.settings.ethos.state)

    def call(self, action: str, arguments: Mapping[str, object]) -> Answer:
        """Have an action done, and return what came of it. Arguments that are None are left out. Raises Refused."""
        given = {name: value for name, value in arguments.items() if value is not None}
        if not self._alone or self._daemon() is not None:
            try:
                return self._remote.call(action, given)
            except Unavailable:
                self.refuse_if_deaf()
                self._alone = True
            except TooLarge:
                pass
        return answer_of(action, self.local.prepare(action, given)())

    def ask(self, action: str, **arguments: object) -> Json:
        """Return the answer of an action as JSON. Raises Refused."""
        return self.call(action, arguments).data

    def settle(self) -> int:
        """Apply the ticks of the review file, and return how many changed something; 0 during a run, which applies them."""
        try:
            return int(self.ask("settle")["applied"])
        except Refused as refused:
            if refused.problem.code != "busy":
                raise
            return 0

    def listens(self, *, seconds: float = socket_client.ALIVE_SECONDS) -> bool:
        """Return whether a daemon listens. Raises Refused where it does not answer in time."""
        envelope = socket_client.ask(self.settings.socket.path, {"action": "help"}, seconds=seconds)
        return envelope is not None and bool(data_of(envelope))

    def refuse_if_deaf(self) -> None:
        """Refuse to work beside a daemon that has this memory and cannot be asked. Raises Refused."""
        holder = self._daemon()
        if holder is None:
            return
        whose = f" (process {holder})" if holder else ""
        hint = "it may just be starting: try again; else restart it, or compare `ethos doctor` here with the daemon's own configuration"
        raise refuse("daemon", f"a daemon works on this memory{whose}, but does not answer", hint=hint, where=self.settings.socket.path)

    def _daemon(self) -> str | None:
        """Return the process id of the daemon that has this memory, "" where it is not known; None where there is none."""
        return locks.holder(self.state, locks.DAEMON)

    @property
    def rulebook(self) -> Rulebook:
        """Return the rules in force."""
        return self.local.rulebook

    @property
    def service(self) -> Service:
        """Return the memory, opened in this process."""
        return self.local.service
