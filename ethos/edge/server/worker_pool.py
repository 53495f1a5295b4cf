"""A pool of threads that grows with demand up to `WORKERS` and shrinks when idle."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from threading import Condition, RLock, Thread

from ethos.edge.config import logs

WORKERS = 48  # concurrent requests; together with the daemon's own threads fewer than the unit's TasksMax
IDLE_SECONDS = 5.0  # an idle worker ends after this long without a job

Job = Callable[[], None]

log = logs.get()


class WorkerPool:
    """Run jobs in threads, in the order of submission. A job must not raise."""

    def __init__(self) -> None:
        self._lock = RLock()  # guards all that follows
        self._jobs: deque[Job] = deque()
        self._workers = 0
        self._idle: list[Condition] = []  # one per idle worker, the longest idle first
        self._starting = 0  # workers that were woken or started and do not run yet
        self._closing = False

    def submit(self, job: Job) -> None:
        """Queue a job and make sure that a worker takes it. Without threads to start, run it in the calling thread."""
        with self._lock:
            self._jobs.append(job)
            if self._starting >= len(self._jobs):
                return
            if self._idle:
                self._idle.pop().notify()
                self._starting += 1
                return
            if self._workers == WORKERS:
                return
            self._workers += 1
            self._starting += 1
        try:
            Thread(target=self._run_new, name="request", daemon=True).start()
        except RuntimeError:  # TasksMax, or the like
            log.warning("No more threads: requests wait for one another")
            with self._lock:
                self._workers -= 1
                self._starting -= 1
                if self._workers:
                    return
                self._workers = 1
            self._work(0.0)

    def submit_from_worker(self, job: Job) -> None:
        """Queue a job without waking a worker: the calling worker looks for its next job soon."""
        with self._lock:
            self._jobs.append(job)

    def close(self) -> None:
        """End idle workers now and busy ones after the last queued job."""
        with self._lock:
            self._closing = True
            for condition in self._idle:
                condition.notify()

    def _run_new(self) -> None:
        with self._lock:
            self._starting -= 1
        self._work(IDLE_SECONDS)

    def _work(self, idle_seconds: float) -> None:
        """Run jobs until none comes within `idle_seconds`."""
        while (job := self._next(idle_seconds)) is not None:
            job()

    def _next(self, idle_seconds: float) -> Job | None:
        with self._lock:
            self._wait_for_job(time.monotonic() + idle_seconds)
            if self._jobs:
                return self._jobs.popleft()
            self._workers -= 1
            return None

    def _wait_for_job(self, until: float) -> None:
        """Wait for a job, holding the lock. Idle workers wake LIFO, so that surplus ones time out.

        A condition shared by all would wake them in turn: none that a burst needed would ever end, each with its stack and its free memory.
        """
        while not self._jobs and not self._closing and (left := until - time.monotonic()) > 0:
            self._idle.append(condition := Condition(self._lock))
            condition.wait(left)
            if condition in self._idle:  # timed out, or the pool closes
                self._idle.remove(condition)
            else:
                self._starting -= 1
