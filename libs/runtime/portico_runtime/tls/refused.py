from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Final

from portico_runtime.settings.section import InvalidSetting
from portico_runtime.tls.clients import client_context

OTHER_NAME: Final = "its certificate is for another name"
EXPIRED: Final = "its certificate has expired"
NOT_TRUSTED: Final = "its certificate authority is not trusted"
NO_TLS: Final = "TLS failed"

_TEXTS: Final = (
    ("Hostname mismatch", OTHER_NAME),
    ("IP address mismatch", OTHER_NAME),
    ("certificate has expired", EXPIRED),
    ("CERTIFICATE_VERIFY_FAILED", NOT_TRUSTED),
    ("[SSL", NO_TLS),
)
"""OpenSSL's texts, the most specific first. Drivers pass on the text of a TLS error, but not always the error."""


def why_refused(error: BaseException | None) -> str:
    """Returns why TLS failed, in words for the operator without names or addresses; empty for any other error."""
    texts = [str(one) for one in _with_causes(error)]
    return next((reason for words, reason in _TEXTS if any(words in text for text in texts)), "")


def trusting(ca_file: str, setting: str) -> ssl.SSLContext:
    """Returns the TLS context for `ca_file` (PEM; empty for the system's); `setting` is named in errors."""
    try:
        return client_context(ca_file)
    except OSError as error:  # of which those of TLS are
        raise InvalidSetting(f"{setting} is not a readable PEM file: {type(error).__name__}") from error


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
