"""``python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY [HOST]``: serves until SIGTERM."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvicorn
from aiosmtpd.smtp import SMTP
from portico_runtime.draining_server import QuietServer

from portico_stack.mail_catcher.message_store import MAX_BYTES, MessageStore
from portico_stack.mail_catcher.pages import create_app
from portico_stack.mail_catcher.smtp import MessageHandler


async def main(smtp_port: int, http_port: int, directory: Path, host: str = "127.0.0.1") -> None:
    loop = asyncio.get_running_loop()
    message_store = MessageStore(directory)
    keep = MessageHandler(message_store)
    server = await loop.create_server(
        lambda: SMTP(keep, enable_SMTPUTF8=True, data_size_limit=MAX_BYTES), host, smtp_port
    )
    pages = uvicorn.Config(
        create_app(message_store),
        host=host,
        port=http_port,
        log_level="warning",
        timeout_graceful_shutdown=1,
        date_header=False,
    )
    async with server:
        await QuietServer(pages).serve()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:5]))
