"""Measures the machine, so that work limits are relative to a known operation."""

from __future__ import annotations

import time
from functools import cache
from typing import Final

from portico_oauth.jose import SigningKey

_TIMES: Final = 100


@cache
def signature_seconds() -> float:
    """Returns the processor time of one RS256 signature; 250 microseconds on the reference machine."""
    key = SigningKey.generate("k", "RS256")
    began = time.process_time()
    for _ in range(_TIMES):
        key.sign(b"{}")
    return (time.process_time() - began) / _TIMES
