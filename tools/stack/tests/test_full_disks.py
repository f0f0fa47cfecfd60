"""What an operator reads where a disk is full."""

from __future__ import annotations

import gc
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from portico_stack.assembly.layout import Container, StackOptions
from portico_stack.assembly.stack import Stack
from portico_stack.machine.full_disks import reason_of, states_full_disk
from portico_stack.processes.child import Child


def test_error_names_its_file_in_words() -> None:
    full = OSError(28, "No space left on device", "/data/nats.conf")

    assert [reason_of(full), reason_of(OSError("nothing"))] == ["/data/nats.conf: No space left on device", "nothing"]


def test_full_disk_is_recognized_in_the_logs_of_programs() -> None:
    """Mongod and Redis have the words of the C library, NATS and Caddy those of Go."""
    assert states_full_disk('"error_str":"No space left on device","error_code":28')
    assert states_full_disk("write /data/jetstream/x.blk: no space left on device")
    assert not states_full_disk("space left: 1 GB")


async def test_configuration_that_cannot_be_written_is_the_only_message(tmp_path: Path) -> None:
    """Nothing else has begun then, whose coroutine Python would report as never awaited."""

    def full() -> NoReturn:
        raise OSError(28, "No space left on device", "haproxy.cfg")

    server, gateway = SimpleNamespace(program=full, prepare=None), SimpleNamespace(program=full, described="")
    layout: Any = SimpleNamespace(redis=server, mongo=server, nats=server, gateway=gateway)
    stack = Stack(StackOptions(tmp_path, container=Container("https://id.example")), print)
    gc.collect()  # warnings of other tests, such as of sockets
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        with pytest.raises(OSError, match="haproxy"):
            await stack._start_servers(layout, Child(tmp_path / "start.log"))
        gc.collect()

    assert [str(one.message) for one in shown if issubclass(one.category, RuntimeWarning)] == []
