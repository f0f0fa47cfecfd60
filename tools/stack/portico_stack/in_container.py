"""``python -m portico_stack.in_container``: what the container of everything runs.

It is the stack of `portico up`, for outside: the gateway listens on every address, its public URL is the operator's
(`PORTICO_ISSUER`), services log to its output, and there is no demo application.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from portico_contracts.topology import GATEWAY_PORT

from portico_stack import up
from portico_stack.assembly.layout import Container, StackOptions
from portico_stack.machine.public_name import LOCALHOST, NameRefused, read_host
from portico_stack.processes.programs import READY_SECONDS
from portico_stack.servers.mail import MailCatcher
from portico_stack.servers.redis import MEMORY_MIB, MEMORY_VARIABLE

DATA_VARIABLE: Final = "PORTICO_STACK_DATA"
MAIL_PAGE: Final = "PORTICO_STACK_MAIL_PAGE"


def options_of(environment: Mapping[str, str], port: int) -> StackOptions:
    """Raises NameRefused for an unusable PORTICO_ISSUER, and ValueError for text instead of a number."""
    issuer = environment.get("PORTICO_ISSUER") or f"http://{LOCALHOST}:{port}"
    url = urlsplit(issuer)
    if url.scheme not in ("http", "https") or issuer != f"{url.scheme}://{url.netloc}" or not url.hostname:
        raise NameRefused(f"PORTICO_ISSUER is {issuer!r}. Set it to scheme, host and port: https://id.example.com.")
    return StackOptions(
        Path(environment[DATA_VARIABLE]),
        port=port,
        host=read_host(url.hostname),
        first_run=True,
        wait_seconds=float(environment.get("PORTICO_STACK_WAIT_SECONDS") or READY_SECONDS),
        redis_memory_mib=int(environment.get(MEMORY_VARIABLE) or MEMORY_MIB),
        mail_server=MailCatcher.given(environment),
        container=Container(issuer, int(environment.get(MAIL_PAGE) or 0)),
    )


def main() -> int:
    try:
        options = options_of(os.environ, GATEWAY_PORT)
    except ValueError as error:
        print(f"Portico cannot start: {error}", file=sys.stderr)
        return 1
    return asyncio.run(up.run(options, verbose=False))


if __name__ == "__main__":
    sys.exit(main())
