from __future__ import annotations

import pytest
from portico_stack.machine.binaries import find_mongod
from portico_stack.machine.mongod_versions import KernelUnfit, mongod_version, require_kernel_for_mongod


@pytest.mark.parametrize("release", ["6.19.0", "6.19.14-200.fc43.x86_64", "7.0.0-14-generic", "7.0.13"])
def test_kernels_that_crash_mongodb_are_refused(release: str) -> None:
    """The message names the kernel and the ways on."""
    with pytest.raises(KernelUnfit, match=rf"8\.0\.30 crashes on Linux {release}.*7\.0\.14.*PORTICO_STACK_MONGO_URL"):
        require_kernel_for_mongod((8, 0, 30), release)


def test_mongod_without_a_version_is_refused_there() -> None:
    """Such a mongod may have crashed before it printed its version."""
    with pytest.raises(KernelUnfit, match=r"8\.0 and newer crashes on Linux 6\.19\.0"):
        require_kernel_for_mongod((), "6.19.0")
    require_kernel_for_mongod((), "6.18.0")


@pytest.mark.parametrize("release", ["6.1.0-18-amd64", "6.18.7", "7.0.14", "7.1.0-rc1", "unknown"])
def test_other_kernels_are_accepted(release: str) -> None:
    require_kernel_for_mongod((8, 0, 30), release)


def test_older_mongodb_runs_on_every_kernel() -> None:
    require_kernel_for_mongod((7, 0, 31), "6.19.0")


@pytest.mark.servers
def test_version_of_a_mongod_is_read() -> None:
    assert mongod_version(find_mongod())[:2] == (6, 0)
