from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Any, Final

from portico_runtime.process.clock import SystemClock

DAYS_LEFT: Final = 14
"""With fewer days left a certificate is not being renewed as it should be."""

_DAY: Final = 86_400


def days_left(certificate: Mapping[str, Any]) -> float:
    """Returns the days until expiry, negative afterwards; `certificate` is as of `ssl.SSLSocket.getpeercert`."""
    expires = ssl.cert_time_to_seconds(certificate["notAfter"])
    return (expires - SystemClock().now()) / _DAY
