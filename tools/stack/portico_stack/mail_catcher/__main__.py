"""``python -m portico_stack.mail_catcher SMTP-PORT HTTP-PORT DIRECTORY [HOST]``: serves until SIGTERM."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import uvicorn
from portico_runtime.http_server.quiet_server import QuietServer

from portico_stack.mail_catcher.server import catching


async def main(smtp_port: int, http_port: int, directory: Path, host: str = "127.0.0.1") -> None:
    async with catching(directory, smtp_port, host) as pages:
        config = uvicorn.Config(
            pages, host=host, port=http_port, log_level="warning", timeout_graceful_shutdown=1, date_header=False
        )
        await QuietServer(config).serve()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), *sys.argv[4:5]))
