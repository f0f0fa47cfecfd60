"""``python -m portico_stack.mail_catcher PORT DIRECTORY``: keeps every mail it gets as a file, delivers none."""

from __future__ import annotations

import asyncio
import itertools
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session


class Keep:
    """Writes each mail to a file of its own, named by time and number."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._numbers: Iterator[int] = itertools.count(1)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - the library's name
        """Keeps one mail; the name of the method is the library's."""
        content = envelope.content or b""
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{next(self._numbers):04d}.eml"
        path = self._directory / name
        await asyncio.to_thread(path.write_bytes, content if isinstance(content, bytes) else content.encode())
        return "250 kept"


async def main(port: int, directory: Path) -> None:
    """Serves until SIGTERM."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    keep = Keep(directory)
    server = await loop.create_server(lambda: SMTP(keep, enable_SMTPUTF8=True), "127.0.0.1", port)
    async with server:
        await stopped.wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
