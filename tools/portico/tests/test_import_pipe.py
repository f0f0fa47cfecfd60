"""Rows of a pipe are read as they come, and a thread that waits for more does not keep the command."""

from __future__ import annotations

import asyncio
import os

from portico_cli.bus_calls.in_order import from_thread
from portico_cli.user_import.csv_rows import read_csv
from portico_cli.user_import.lines import Line, read_lines
from portico_cli.user_import.pipe import reading


async def test_event_loop_goes_on_while_a_pipe_brings_nothing() -> None:
    """Otherwise replies of the bus and lines of progress would wait for the next row."""
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", buffering=0) as producer, reading(file) as source:
        rows = from_thread(read_lines(source))
        coming = asyncio.ensure_future(anext(rows))
        await asyncio.sleep(0)
        producer.write(b'{"a": 1}\n{"b"')
        first = await coming
        coming = asyncio.ensure_future(anext(rows))
        await asyncio.sleep(0)
        producer.write(b": 2}\n")
        second = await coming

    assert [first, second] == [Line(1, '{"a": 1}'), Line(2, '{"b": 2}')]


async def test_waiting_thread_ends_with_the_command() -> None:
    """Ctrl-C would otherwise have no effect until the producer ends."""
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", buffering=0):
        with reading(file) as source:
            waiting = asyncio.create_task(asyncio.to_thread(lambda: list(read_lines(source))))
            await asyncio.sleep(0)
        found = await waiting

    assert found == []


def test_csv_of_a_pipe_is_read_as_it_comes() -> None:
    """A buffer around that of standard input would wait until it is full."""
    read, write = os.pipe()
    with os.fdopen(read, "rb") as file, os.fdopen(write, "wb", buffering=0) as producer, reading(file) as source:
        producer.write(b"Name,Email\nAda,ada@x.example\n")
        lines = read_csv(source, (), verified=False).lines

        assert next(lines).number == 2
