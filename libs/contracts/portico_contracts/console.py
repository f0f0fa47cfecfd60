"""The console and the account page as clients: what their document declares and other services may name."""

from __future__ import annotations

from typing import Final

CONSOLE_CLIENT: Final = "portico-console"
"""Client id of the management console."""

ACCOUNT_CLIENT: Final = "portico-account"
"""Client id of the account page."""


OWN_APPLICATIONS: Final = "portico-applications"
"""Id of the project both are in. Only an instance owner changes it and what is in it."""


def client_key_id(client_id: str) -> str:
    """The id of the public key one of the two is declared with."""
    return f"{client_id}-key"
