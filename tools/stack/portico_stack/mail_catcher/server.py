from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiosmtpd.smtp import SMTP
from starlette.applications import Starlette

from portico_stack.mail_catcher.message_store import MAX_BYTES, MessageStore
from portico_stack.mail_catcher.pages import create_app
from portico_stack.mail_catcher.smtp import MessageHandler


@asynccontextmanager
async def catching(directory: Path, smtp_port: int, host: str) -> AsyncIterator[Starlette]:
    """Receives emails, and yields the application with their pages."""
    message_store = MessageStore(directory)
    keep = MessageHandler(message_store)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(keep, enable_SMTPUTF8=True, data_size_limit=MAX_BYTES), host, smtp_port
    )
    async with server:
        yield create_app(message_store)
