"""How fast this machine is, so that work is judged by what the machine takes for something known."""

from __future__ import annotations

import time
from functools import cache
from typing import Final

from portico_oauth.jose import SigningKey

_TIMES: Final = 100


@cache
def signature_seconds() -> float:
    """Processor time of one RS256 signature: 250 microseconds on the machine the limits were found on."""
    key = SigningKey.generate("k", "RS256")
    began = time.process_time()
    for _ in range(_TIMES):
        key.sign(b"{}")
    return (time.process_time() - began) / _TIMES
