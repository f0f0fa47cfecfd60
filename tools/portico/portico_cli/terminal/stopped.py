from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from portico_cli.terminal.output import STANDARD_OUTPUT, refuse


@contextmanager
def told_when_stopped(tell: Callable[[], str]) -> Iterator[None]:
    """Ends the command with what was done until then, where Ctrl-C, SIGTERM or a full disk ends its work."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        refuse(f"\nInterrupted.\n{tell()}")
    except OSError as error:
        if error.errno is None:
            raise
        refuse(f"refused: {error.filename or STANDARD_OUTPUT}: {error.strerror}\n{tell()}")
    finally:
        signal.signal(signal.SIGTERM, before)
