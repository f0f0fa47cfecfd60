"""A mongod is not started on data that it cannot read, and nothing is written there."""

from __future__ import annotations

from pathlib import Path

import pytest
from portico_stack import up
from portico_stack.assembly.layout import StackOptions
from portico_stack.servers.mongo_files import DataOfOtherServer, note_version, require_readable

OF_6_0 = "10.0.2"
OF_NEWER = "11.2.0"


def mongod(folder: Path, version: str) -> Path:
    program = folder / f"mongod-{version}"
    program.write_text(f"#!/bin/sh\necho 'db version v{version}'\n")
    program.chmod(0o700)
    return program


def stored(folder: Path, engine: str, noted: str = "") -> Path:
    """A directory with the files of a storage engine, and the note of a MongoDB."""
    data = folder / "mongo"
    (data / "db").mkdir(parents=True)
    (data / "db" / "WiredTiger.turtle").write_text(f"WiredTiger version string\nWiredTiger {engine}: (a date)\n")
    if noted:
        note_version(data, noted)
    return data


@pytest.mark.parametrize("noted", ["", "6.0.5"])
def test_data_of_6_0_are_refused_by_8_0(tmp_path: Path, noted: str) -> None:
    """The message names what was found and what is needed; releases before left no note."""
    with pytest.raises(
        DataOfOtherServer,
        match=r"mongo has data of MongoDB 6\.0.*, which MongoDB 8\.0\.30 cannot read\. It needs MongoDB 6\.0 or 7\.0, or a backup .*docs/guides/upgrade\.md#servers",
    ):
        require_readable([stored(tmp_path, OF_6_0, noted)], mongod(tmp_path, "8.0.30"))


def test_data_of_8_0_are_refused_by_6_0(tmp_path: Path) -> None:
    with pytest.raises(
        DataOfOtherServer, match=r"MongoDB 8\.0\.30, which MongoDB 6\.0\.5 cannot.* needs MongoDB 8\.0,"
    ):
        require_readable([stored(tmp_path, OF_NEWER, "8.0.30")], mongod(tmp_path, "6.0.5"))


@pytest.mark.parametrize(
    ("engine", "noted", "version"),
    [
        (OF_6_0, "", "6.0.27"),
        (OF_6_0, "6.0.5", "7.0.31"),
        (OF_NEWER, "7.0.31", "8.0.30"),
        (OF_NEWER, "8.0.30", "8.2.1"),
        (OF_NEWER, "8.0.30", "7.0.31"),
        (OF_NEWER, "", "8.0.30"),
    ],
)
def test_neighbouring_lines_are_left_to_mongod(tmp_path: Path, engine: str, noted: str, version: str) -> None:
    require_readable([stored(tmp_path, engine, noted)], mongod(tmp_path, version))


def test_note_of_an_earlier_engine_does_not_count(tmp_path: Path) -> None:
    """The data were moved to a newer MongoDB without Portico."""
    data = stored(tmp_path, OF_6_0, "6.0.5")
    (data / "db" / "WiredTiger.turtle").write_text(f"WiredTiger {OF_NEWER}: (a date)\n")

    require_readable([data], mongod(tmp_path, "8.0.30"))


def test_new_directory_is_for_every_mongod(tmp_path: Path) -> None:
    require_readable([tmp_path / "mongo"], mongod(tmp_path, "8.0.30"))


@pytest.mark.parametrize("member", ["mongo", "mongo-set/2"])
async def test_portico_up_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], member: str
) -> None:
    """The command ends with the message before it writes an installation, or another server converts its files."""
    data = tmp_path / "data"
    (data / member).parent.mkdir(parents=True)
    stored(tmp_path, OF_6_0).rename(data / member)
    monkeypatch.setenv("PORTICO_STACK_MONGOD", str(mongod(tmp_path, "8.0.30")))

    status = await up.run(StackOptions(data, port=0), verbose=False)

    assert status == 1
    assert "cannot start: " in (told := capsys.readouterr().err)
    assert f"{member} has data of MongoDB 6.0" in told
    assert {file.name for file in data.rglob("*") if file.is_file()} <= {"WiredTiger.turtle", ".lock", "lock"}
