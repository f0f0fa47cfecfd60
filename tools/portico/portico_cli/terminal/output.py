from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import Final, NoReturn, TextIO, cast

import click
from portico_stack.machine.full_disks import naming
from portico_stack.machine.private_files import replaced_private, replacing_private

STANDARD_OUTPUT: Final = "standard output"

_IN_MEMORY: Final = 2**20


def refuse(sentence: str) -> NoReturn:
    click.echo(sentence, err=True)
    sys.exit(1)


def timestamp(seconds: float) -> str:
    """Formats unix seconds in RFC 3339, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def output_for_owner(path: Path) -> Iterator[TextIO]:
    """Replaces a file, owner-only, once complete; refuses a device or a link, which would be replaced."""
    _refuse_special(path)
    try:
        with replacing_private(path) as file:
            yield file
    except OSError as error:
        raise click.FileError(error.filename or str(path), error.strerror) from error


@contextmanager
def complete_output() -> Iterator[TextIO]:
    """Standard output, which gets everything at the end or nothing: half a document deletes users where it is pruned."""
    with temporary_file() as file:
        yield file
        file.seek(0)
        with naming(STANDARD_OUTPUT):
            shutil.copyfileobj(file, sys.stdout)


@contextmanager
def temporary_file() -> Iterator[TextIO]:
    """A file without a name, in memory up to 1 MiB; an error of writing has the name of the directory."""
    with naming(gettempdir()), SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as file:
        yield cast("TextIO", file)


@contextmanager
def report_for_owner(path: Path) -> Iterator[Callable[[str], None]]:
    """Like `output_for_owner`, with each line written at once; an error of writing has the name of the file."""
    _refuse_special(path)
    try:
        file = replaced_private(path)
    except OSError as error:
        raise click.FileError(str(path), error.strerror) from error

    def write(line: str) -> None:
        with naming(path):
            file.write(f"{line}\n")

    try:
        yield write
    finally:
        with suppress(OSError):  # writes the line again that could not be written
            file.close()


def _refuse_special(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        raise click.FileError(str(path), "It is a link or a device. Use a regular file.")
