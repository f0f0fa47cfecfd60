"""Files of Redis 6.2 and of a newer server in one directory (docs/guides/upgrade.md#servers)."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack.in_compose import lay_out
from portico_stack.servers.redis import RedisServer
from portico_stack.servers.redis_cluster import NODES, RedisCluster
from portico_stack.servers.redis_files import DataUnclear, leave_note

COMMAND = b"*1\r\n$4\r\nPING\r\n"
BOTH = r"Redis 6\.2 wrote .*/appendonly\.aof and Valkey wrote .*/appendonlydir.*docs/guides/upgrade\.md#servers"


def server(data: Path) -> RedisServer:
    return RedisServer(data, 6379, {"token": "p"})


def directory(data: Path, *, named: str = "appendonly.aof.1.incr.aof", there: bool = True) -> None:
    (data / "appendonlydir").mkdir(parents=True)
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text(f"file {named} seq 1 type i\n")
    if there:
        (data / "appendonlydir" / named).write_bytes(COMMAND)


def everything(data: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in data.rglob("*") if file.is_file()}


def test_two_histories_are_refused(tmp_path: Path) -> None:
    """Nothing is written, and the message names both."""
    directory(tmp_path)
    (tmp_path / "appendonly.aof").write_bytes(COMMAND)
    before = everything(tmp_path)
    with pytest.raises(DataUnclear, match=BOTH):
        server(tmp_path).write_configuration()
    leave_note(tmp_path)

    assert everything(tmp_path) == before


def test_two_histories_of_a_cluster_node_are_refused(tmp_path: Path) -> None:
    directory(tmp_path / "3")
    (tmp_path / "3" / "appendonly.aof").write_bytes(COMMAND)
    with pytest.raises(DataUnclear, match=BOTH):
        RedisCluster(tmp_path, range(7000, 7000 + NODES), {"token": "p"}, "r").programs()


@pytest.mark.parametrize("empty", [False, True], ids=["no file", "empty file"])
def test_note_takes_the_place_of_the_file(tmp_path: Path, empty: bool) -> None:
    """Once a newer server has the data, Redis 6.2 finds a file that is no command, and the newer one starts again."""
    directory(tmp_path)
    if empty:
        (tmp_path / "appendonly.aof").touch()
    server(tmp_path).write_configuration()
    leave_note(tmp_path)
    server(tmp_path).write_configuration()

    assert (tmp_path / "appendonly.aof").read_text().startswith("The data are in appendonlydir.")


@pytest.mark.parametrize("moved", [False, True], ids=["not begun", "begun"])
def test_unfinished_conversion_continues(tmp_path: Path, moved: bool) -> None:
    """A newer server names the file in its manifest before it moves it."""
    if moved:
        directory(tmp_path, named="appendonly.aof", there=False)
    (tmp_path / "appendonly.aof").write_bytes(COMMAND)
    server(tmp_path).write_configuration()
    leave_note(tmp_path)

    assert (tmp_path / "appendonly.aof").read_bytes() == COMMAND


def test_lost_directory_is_refused(tmp_path: Path) -> None:
    """A note without the data that it names."""
    directory(tmp_path)
    leave_note(tmp_path)
    (tmp_path / "appendonlydir").rename(tmp_path / "elsewhere")
    with pytest.raises(DataUnclear, match=r"appendonlydir is gone.*docs/guides/upgrade\.md#servers"):
        server(tmp_path).write_configuration()


def test_composition_refuses_two_histories(tmp_path: Path) -> None:
    directory(tmp_path / "redis")
    (tmp_path / "redis" / "appendonly.aof").write_bytes(COMMAND)
    with pytest.raises(DataUnclear, match=BOTH):
        lay_out(tmp_path)
