"""Following: the daemon captures what is added to the files that it follows."""

from __future__ import annotations

from pathlib import Path

from ethos.core.model.settings import Settings
from ethos.core.text.plurals import plural
from ethos.edge.api.actions import Service
from ethos.edge.api.actions.learn import take_in
from ethos.edge.capture.follower import Follower
from ethos.edge.config import logs
from ethos.edge.server.backoff import Backoff

log = logs.get()


class Following:
    """The files of one configuration, and the backoff that outlives a reload of it."""

    def __init__(self) -> None:
        self.backoff = Backoff("Following")
        self._follower: Follower | None = None
        self._caught_up = False

    def configure(self, settings: Settings) -> None:
        """Follow the files of these settings from now on; what was read of them is in the state folder."""
        capture = settings.capture
        cursors = Path(settings.ethos.state) / "cursors.json"
        self._follower = Follower(capture.follow, capture, cursors) if capture.follow else None
        self._caught_up = False

    @property
    def needed(self) -> bool:
        """Return True if there is something to follow."""
        return self._follower is not None

    def tick(self, service: Service) -> int:
        """Capture what is new, and return how many episodes were added."""
        follower = self._follower
        if follower is None or self.backoff.waiting:
            return 0
        added = 0
        with self.backoff.guard():
            now = service.ethos.clock.now()
            try:
                captured = take_in(service, follower.poll(now), now=now, live=self._caught_up)
                follower.keep(captured.refused)
            except BaseException:
                follower.rewind()
                raise
            self._caught_up = True  # the first poll may bring in history, which is no session event
            self.backoff.succeeded()
            for problem in captured.problems:
                log.warning("Cannot follow", problem=problem.what, where=problem.where)
            added = captured.added
            if added:
                log.info(f"Captured {plural(added, 'episode')}", files=captured.files)
        return added
