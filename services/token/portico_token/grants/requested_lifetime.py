"""The lifetime a service user requests for its access token: less than the instance allows, never more.

A form parameter of Portico's own, `expires_in`, of the two grants of service users. OAuth has no such parameter; the
name is that of the response. A caller that needs a token for one task does not leave one that is valid for an hour.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from portico_oauth.errors import Compared, ErrorCode, Kind

EXPIRES_IN: Final = "expires_in"

INVALID_LIFETIME = ErrorCode(
    "TOKEN-291",
    Kind.INVALID_REQUEST,
    "The parameter expires_in is not a positive whole number.",
    "Send whole seconds, at least 1, or omit the parameter.",
)

_SECONDS: Final = re.compile(r"[1-9][0-9]{0,9}\Z", re.ASCII)


def requested_seconds(parameters: Mapping[str, str]) -> int | None:
    """The requested lifetime in seconds, None when there is none.

    Raises:
        ServiceError: TOKEN-291 for anything but a positive whole number.
    """
    text = parameters.get(EXPIRES_IN)
    if text is None:
        return None
    if not _SECONDS.match(text):
        raise INVALID_LIFETIME.error(compared=Compared("grant"))
    return int(text)
