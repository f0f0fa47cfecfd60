from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from portico_stack.machine import http_probe


@dataclass(frozen=True)
class MailCatcher:
    data: Path
    port: int
    page_port: int
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def page(self) -> str:
        return f"http://localhost:{self.page_port}"

    @property
    def settings(self) -> dict[str, str]:
        return {
            "PORTICO_SMTP_HOST": "127.0.0.1",
            "PORTICO_SMTP_PORT": str(self.port),
            "PORTICO_SMTP_SECURITY": "none",
            "PORTICO_SMTP_FROM": "Portico <portico@localhost>",
        }

    @staticmethod
    def given(environment: Mapping[str, str]) -> dict[str, str]:
        found = {name: value for name, value in environment.items() if name.startswith("PORTICO_SMTP_")}
        return found if found.get("PORTICO_SMTP_HOST") else {}

    async def ready(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            if not (await reader.readline()).startswith(b"220"):
                raise ConnectionError("no greeting")
        finally:
            writer.close()
        answer = await http_probe.get(self.page_port, "/api/mails?limit=1")
        if answer.status != 200:
            raise ConnectionError(f"status {answer.status}")
