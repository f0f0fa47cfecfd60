"""Pytest plugin loaded by every test run: shared real servers and command-line options."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from portico_harness.dirsrv import running_dirsrv
from portico_harness.drills import Drills
from portico_harness.groups import Groups, leaves_stack
from portico_harness.interrupts import accept_interrupts
from portico_harness.ldap_server import RunningLdapServer, running_ldap_server
from portico_harness.memory_folder import use_memory
from portico_harness.real_directory import NotInstalled, RealDirectory
from portico_harness.samba_dc import running_samba
from portico_harness.servers import (
    RunningMongo,
    RunningNats,
    RunningRedis,
    clustered_redis,
    running_mongo,
    running_nats,
)
from portico_harness.test_times import TestTimes

_ALL_LONG: Final = re.compile(r"^pytestmark = .*mark\.long\b", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--drills", action="store_true", help="only the tests of faults, with a table of what held")


def pytest_configure(config: pytest.Config) -> None:
    accept_interrupts()
    if not hasattr(config, "workerinput"):
        use_memory()
        config.pluginmanager.register(TestTimes(), "test-times")
    if config.getoption("--drills"):
        config.pluginmanager.register(Drills(), "drills")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keeps collected objects out of garbage collection, during and after: they live until the end of the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()  # without a look for garbage first, which takes a second and finds little
        # Each test creates and drops applications with thousands of objects: at 700 objects, looking for garbage takes
        # an eighth of the time of the services' tests.
        gc.set_threshold(300_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems() -> None:
    """Stops Hypothesis from reading all loaded modules for values to try.

    That takes each worker 1.5 s, and 4 s on a fresh clone; of the thousands of values hardly one fits what a test tries.
    """
    if providers := sys.modules.get("hypothesis.internal.conjecture.providers"):
        vars(providers)["_get_local_constants"] = providers.Constants


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Does not import modules of which `make test` selects no test."""
    if config.option.markexpr != "not long" or collection_path.suffix != ".py":
        return None
    return bool(_ALL_LONG.search(collection_path.read_text())) or None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Groups | None:
    return Groups(config, log) if config.getvalue("dist") == "loadgroup" else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Stops a shared stack after its last test in this worker; idle it would take processor time from other tests."""
    grouped = getattr(item.config.option, "loadgroup", False)
    if nextitem is None or not grouped or not leaves_stack(item.path, nextitem.path, item.config.rootpath):
        return None
    item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
    return True


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningRedis]:
    """A real Redis that rejects calls with keys of several slots; mark the test with ``servers``."""
    with clustered_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="session")
def mongo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningMongo]:
    """A real MongoDB shared by the run; mark the test with ``servers``."""
    with running_mongo(tmp_path_factory.mktemp("mongo")) as server:
        yield server


@pytest.fixture
def fragile_nats(tmp_path: Path) -> Iterator[RunningNats]:
    """A NATS for one test, which may lose its store or disk; mark the test with ``servers``."""
    with running_nats(tmp_path / "fragile-nats", contained=False) as server:
        yield server


@pytest.fixture(scope="session")
def nats_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNats]:
    """A real NATS shared by the run; mark the test with ``servers``."""
    with running_nats(tmp_path_factory.mktemp("nats")) as server:
        yield server


@pytest.fixture(scope="session")
def ldap_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningLdapServer]:
    with running_ldap_server(tmp_path_factory.mktemp("slapd")) as server:
        yield server


@pytest.fixture(scope="session")
def dirsrv(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDirectory]:
    """389 Directory Server; starting it takes 20 seconds."""
    yield from _or_skip(running_dirsrv, tmp_path_factory.mktemp("dirsrv"))


@pytest.fixture(scope="session")
def samba(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDirectory]:
    """Samba as domain controller; starting it takes 20 seconds."""
    yield from _or_skip(running_samba, tmp_path_factory.mktemp("samba"))


def _or_skip(running: Callable[[Path], AbstractContextManager[RealDirectory]], folder: Path) -> Iterator[RealDirectory]:
    with ExitStack() as held:
        try:
            directory = held.enter_context(running(folder))
        except NotInstalled as error:
            pytest.skip(str(error))
        yield directory
