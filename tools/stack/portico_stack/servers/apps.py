from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from portico_stack.machine.private_files import private_directory
from portico_stack.processes.programs import LIGHT_PYTHON, Program, without_portico
from portico_stack.servers.mail import MailCatcher


@dataclass(frozen=True)
class LocalApps:
    """The demo application, and where emails are caught the mail catcher, in one process; port 0 for no demo."""

    demo_port: int = 0
    demo_settings: Mapping[str, str] = field(default_factory=dict)
    mail: MailCatcher | None = None

    def program(self) -> Program:
        env = {**without_portico(os.environ), **LIGHT_PYTHON, **self.demo_settings}
        argv = (sys.executable, "-m", "portico_stack.local_apps", str(self.demo_port), *self._mail_arguments())
        return Program("apps", argv, self._ready, env)

    async def prepare(self) -> None:
        pass

    def _mail_arguments(self) -> tuple[str, ...]:
        if self.mail is None:
            return ()
        return str(self.mail.port), str(self.mail.page_port), str(private_directory(self.mail.data)), self.mail.host

    async def _ready(self) -> None:
        if self.demo_port:
            _, writer = await asyncio.open_connection("127.0.0.1", self.demo_port)
            writer.close()
        if self.mail:
            await self.mail.ready()
