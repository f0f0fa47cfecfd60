"""The mail catcher: takes every mail and keeps it as a file."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

from portico_stack.private_files import private_directory
from portico_stack.processes import Program


@dataclass(frozen=True)
class MailCatcher:
    """An SMTP server of our own that delivers nothing."""

    data: Path
    port: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"smtp://127.0.0.1:{self.port}"

    def program(self) -> Program:
        """What to run."""
        private_directory(self.data)
        argv = (sys.executable, "-m", "portico_stack.mail_catcher", str(self.port), str(self.data))
        return Program("mail", argv, self._ready)

    async def prepare(self) -> None:
        """Nothing to do."""

    async def _ready(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            if not (await reader.readline()).startswith(b"220"):
                raise ConnectionError("no greeting")
        finally:
            writer.close()
