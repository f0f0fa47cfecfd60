from __future__ import annotations

from typing import Final

CONSOLE_CLIENT: Final = "portico-console"

ACCOUNT_CLIENT: Final = "portico-account"


OWN_APPLICATIONS: Final = "portico-applications"
"""Id of the project of both clients. Only an instance owner may change it and its contents."""


def client_key_id(client_id: str) -> str:
    return f"{client_id}-key"
