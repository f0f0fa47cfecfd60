"""Names of authenticators and password managers by AAGUID (WebAuthn section 6.5.1), to distinguish the keys of a user.

The list is that of the package ``aaguids`` 0.0.44 (MIT), which collects FIDO metadata and the list of passkey providers.
A name proves nothing: without attestation an authenticator may send any AAGUID.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


def authenticator_name(aaguid: str) -> str:
    """Returns an empty text if unknown, as for authenticators that hide their model."""
    return _names().get(aaguid, "")


@cache
def _names() -> dict[str, str]:
    content = files("portico_users.credentials.webauthn").joinpath("authenticator_names.json").read_bytes()
    return msgspec.json.decode(content, type=dict[str, str])
