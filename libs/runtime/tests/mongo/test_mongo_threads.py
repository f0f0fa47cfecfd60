from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from portico_harness.eventually import HANGS
from portico_runtime.mongo import threads as mongo_threads
from portico_runtime.mongo.client import MongoClient
from portico_runtime.mongo.threads import WokenExecutor
from portico_runtime.settings.sections.mongo import MongoSection
from pydantic import SecretStr
from pymongo.periodic_executor import PeriodicExecutor


class Task:
    """Runs in an executor that would wait for hours."""

    def __init__(self, apart: float = 0.0) -> None:
        self.runs = threading.Semaphore(0)
        self.executor: PeriodicExecutor = WokenExecutor(10_000, apart, self._run, "task")

    def _run(self) -> bool:
        self.runs.release()
        return True

    def has_run(self) -> bool:
        return self.runs.acquire(timeout=HANGS)


@pytest.fixture
def task() -> Iterator[Task]:
    task = Task()
    yield task
    task.executor.close()
    task.executor.join(int(HANGS))


def test_task_runs_at_once_when_woken(task: Task) -> None:
    task.executor.open()

    assert task.has_run()
    task.executor.wake()
    assert task.has_run()


def test_many_wake_ups_run_it_once(task: Task) -> None:
    """The wake-ups of one wait are forgotten after it, so that a burst of errors is no burst of checks."""
    for _ in range(10):
        task.executor.wake()
    task.executor.open()
    runs = [task.has_run() for _ in range(2)]
    task.executor.close()
    task.executor.join(int(HANGS))

    assert runs == [True, True]
    assert not task.runs.acquire(blocking=False)


def test_woken_task_runs_after_the_minimum_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing connections wake a monitor again and again; it would check its server without a pause."""
    pauses: list[float] = []
    monkeypatch.setattr(mongo_threads, "time", SimpleNamespace(monotonic=lambda: 7.0, sleep=pauses.append))
    task = Task(apart=0.5)
    task.executor.open()
    assert task.has_run()
    task.executor.wake()
    assert task.has_run()
    task.executor.close()
    task.executor.join(int(HANGS))

    assert pauses == [0.5]


def test_executor_ends_and_starts_again(task: Task) -> None:
    task.executor.open()
    assert task.has_run()
    task.executor.close()
    task.executor.join(int(HANGS))
    task.executor.open()

    assert task.has_run()


async def test_threads_of_a_client_wait() -> None:
    """The driver's own executor is not used; it looks twice a second."""
    settings = MongoSection(mongo_url="mongodb://127.0.0.1:1/", mongo_password=SecretStr("x"))
    client = MongoClient(settings, "users")
    executor = client._client.delegate._kill_cursors_executor
    await client.close()

    assert isinstance(executor, WokenExecutor)
    assert executor._interval == 10
