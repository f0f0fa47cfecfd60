from __future__ import annotations

import sys
from typing import NoReturn

import uvicorn
from portico_runtime.http_server.quiet_server import QuietServer
from pydantic import ValidationError

from portico_demo_rp.app import create_app
from portico_demo_rp.settings import DemoRpSettings


def _end(sentence: str) -> NoReturn:
    print(f"demo relying party: {sentence}", file=sys.stderr)  # noqa: T201 - a command speaks to its caller
    sys.exit(2)


def main() -> None:
    try:
        settings = DemoRpSettings()
    except ValidationError as error:
        names = ", ".join(f"PORTICO_DEMO_RP_{part['loc'][0]}".upper() for part in error.errors(include_input=False))
        _end(f"missing or wrong settings: {names}")
    except OSError as error:
        _end(f"the secret cannot be read: {error}")
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=1,
        date_header=False,
    )
    QuietServer(config).run()


if __name__ == "__main__":
    main()
