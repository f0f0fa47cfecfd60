"""Which disk is full: the limit of this process for files takes its place."""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import pytest
from portico_cli.backup.archive import created_for_owner
from portico_cli.commands.app import write_code
from portico_cli.terminal.output import complete_output, output_for_owner, report_for_owner, temporary_file
from portico_harness.rows import row
from portico_snippets import Rendered
from portico_stack.machine.private_files import write_private

LARGE = "x" * 3_000_000


@contextmanager
def full(most: int = 2_000_000) -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def _output(path: Path) -> None:
    with output_for_owner(path) as file:
        file.write(LARGE)


def _report(path: Path) -> None:
    with report_for_owner(path) as write:
        write(LARGE)


def _backup(path: Path) -> None:
    with created_for_owner(path) as file:
        file.write(LARGE.encode())


def _code(path: Path) -> None:
    write_code(Rendered(files={path.name: LARGE}, prepare="", run="", secret_variable=""), path.parent)


WRITERS: dict[str, Callable[[Path], object]] = {
    "output": _output,
    "report": _report,
    "backup": _backup,
    "code of an application": _code,
    "configuration": lambda path: write_private(path, LARGE),
}


def test_the_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error of the operating system has no name where an open file is written."""
    for name, write in WRITERS.items():
        with row(name):
            path = tmp_path / name
            with full(), pytest.raises((OSError, click.FileError)) as refused:
                write(path)
            error: Any = refused.value

            assert error.filename == str(path)


def test_the_directory_of_temporary_files_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while another file is written, which is not on the full disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with full(), pytest.raises(OSError, match="File too large") as collected, complete_output() as output:
        output.write(LARGE)
    with (
        full(),
        pytest.raises(click.FileError) as beside,
        output_for_owner(tmp_path / "whole"),
        temporary_file() as part,
    ):
        part.write(LARGE)

    assert [collected.value.filename, beside.value.filename] == [str(tmp_path)] * 2


def test_standard_output_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with suppress(OSError), Path("/dev/full").open("w", buffering=1) as device:  # closing writes it again
        monkeypatch.setattr(sys, "stdout", device)
        with pytest.raises(OSError, match="No space left") as refused, complete_output() as output:
            output.write("one\n")

    assert refused.value.filename == "standard output"


def test_a_file_that_cannot_be_opened_is_named_as_it_was_given(tmp_path: Path) -> None:
    """Not by the name that it has until it is complete."""
    path = tmp_path / "absent" / "rows"
    with pytest.raises(click.FileError) as refused:
        _output(path)

    assert refused.value.filename == str(path)
