"""TLS to the servers of the stores and the bus: what is trusted, and why a connection was refused."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from typing import Final

from portico_runtime.settings import InvalidSetting

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
"""What OpenSSL writes, the narrower text first. Drivers pass on the text of an error of TLS, and not always the error."""


def why_refused(error: BaseException | None) -> str:
    """Why a connection did not come about, where TLS is the reason: words for the operator, without name or address.

    Args:
        error: as the driver raised it.

    Returns:
        empty for every other reason.
    """
    texts = [str(one) for one in _with_causes(error)]
    return next((reason for words, reason in _TEXTS if any(words in text for text in texts)), "")


def trusting(ca_file: str, setting: str) -> ssl.SSLContext:
    """What checks certificates and names.

    Args:
        ca_file: PEM file of the certificates to trust; empty for the system's.
        setting: that names the file.

    Raises:
        InvalidSetting: the file cannot be read, or has no certificate.
    """
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:  # of which those of TLS are
        raise InvalidSetting(f"{setting} is not a readable PEM file: {type(error).__name__}") from error


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
